import ICAL from 'ical.js'

/** The value of a property without escapes; `''` if it cannot be read. */
export function textOf(text: string | undefined): string {
  if (text === undefined) return ''
  const property = readProperty(text)
  return property === undefined ? text.slice(text.indexOf(':') + 1).trim() : property.value.trim()
}

export function readProperty(text: string): { value: string; parameters: Record<string, unknown> } | undefined {
  const [, rest = ''] = /^[A-Za-z0-9-]+(.*)$/s.exec(text) ?? []
  try {
    // Every value is read as the text of a comment; the clock of the venue knows more forms of dates than ical.js.
    const [, parameters, , value] = ICAL.parse.property(`COMMENT${rest}`)
    return { value: String(value), parameters }
  } catch {
    return undefined
  }
}
