/** The parts that are not empty, each on a line of its own. */
export const lines = (...parts: string[]): string => parts.filter((part) => part !== '').join('\n')

export const element = (name: string, text: string, given: Record<string, string> = {}): string =>
  `<${name}${attributes(given)}>${escapeXml(text)}</${name}>`

export const optional = (name: string, text: string): string => (text === '' ? '' : element(name, text))

/** Those that are not empty. */
export const attributes = (given: Record<string, string>): string =>
  Object.entries(given)
    .map(([name, value]) => (value === '' ? '' : ` ${name}="${escapeXml(value)}"`))
    .join('')

export const httpUrl = (url: string): string => (/^https?:\/\//.test(url) ? url : '')

/** XML 1.0 has no place for these, not even as references. */
const impossible = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const references: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' },
  // Readers would take them for a space or a line feed.
  ...{ '\t': '&#9;', '\n': '&#10;', '\r': '&#13;' },
}

/** Escapes a text or the value of an attribute. */
export const escapeXml = (text: string): string =>
  text.replace(impossible, '').replace(/[&<>"\t\n\r]/g, (character) => references[character] ?? '')
