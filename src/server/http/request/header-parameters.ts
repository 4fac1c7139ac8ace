/** A header such as `form-data; name="a"`. */
export interface ParameterizedHeader {
  /** The text before the parameters, in lower case. */
  value: string
  /**
   * By name in lower case. An extended parameter (RFC 8187) is decoded; its name ends in `*`. One that cannot be decoded
   * is left out if there is a plain one.
   */
  parameters: ReadonlyMap<string, string>
}

/**
 * Parses a header with parameters as clients write them in `multipart/form-data`: quotes and backslashes in a quoted
 * string may be escaped, but every other backslash is literal, as in the paths that some clients send as a file name.
 * @param text bytes as Latin-1; values are decoded as UTF-8, with U+FFFD for invalid bytes
 * @throws TypeError for a malformed or repeated parameter, or an extended one that cannot be decoded and has no plain one
 */
export function parseHeader(text: string): ParameterizedHeader {
  const raw = new Map<string, string>()
  const semicolon = text.indexOf(';')
  const value = semicolon < 0 ? text : text.slice(0, semicolon)
  let end = value.length
  parameter.lastIndex = end
  for (let match = parameter.exec(text); match; match = parameter.exec(text)) {
    const [, name = '', quoted, bare = ''] = match
    const key = name.toLowerCase()
    if (raw.has(key)) throw new TypeError('repeated header parameter')
    raw.set(key, quoted?.replace(/\\(["\\])/g, '$1') ?? bare.trim())
    end = parameter.lastIndex
  }
  if (/[^;\s]/.test(text.slice(end))) throw new TypeError('malformed header parameter')
  const parameters = new Map<string, string>()
  for (const [key, rawValue] of raw) {
    const decoded = key.endsWith('*') ? decodeExtended(rawValue) : decodeUtf8(rawValue)
    if (decoded !== undefined) parameters.set(key, decoded)
    else if (!raw.has(key.slice(0, -1))) throw new TypeError('extended header parameter cannot be decoded')
  }
  return { value: value.trim().toLowerCase(), parameters }
}

/** Text between a closing quote and the next semicolon is ignored: some clients do not escape quotes. */
const parameter = /;[ \t]*([^=;"\s]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\["\\]|\\(?!["\\]))*)"[^;]*|([^;"]*))/y

const decodeUtf8 = (bytes: string): string =>
  /[\x80-\xff]/.test(bytes) ? Buffer.from(bytes, 'latin1').toString() : bytes

/**
 * Decodes `UTF-8'en'na%C3%AFve`. RFC 7578 forbids it in forms, but some clients send it.
 * @returns undefined without a known charset
 */
function decodeExtended(text: string): string | undefined {
  const [, charset, encoded] = /^([^']+)'[^']*'(.*)$/.exec(text) ?? []
  if (charset === undefined || encoded === undefined) return undefined
  const bytes = encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  try {
    return new TextDecoder(charset, { ignoreBOM: true }).decode(Buffer.from(bytes, 'latin1'))
  } catch {
    return undefined
  }
}
