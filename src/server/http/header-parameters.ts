/** A header such as `form-data; name="a"`. */
export interface ParameterizedHeader {
  /** What comes before the parameters, in lower case. */
  value: string
  /** By their names in lower case. What is extended (RFC 8187) is under its name with the `*`, decoded. */
  parameters: ReadonlyMap<string, string>
}

/**
 * Parses a header with parameters as clients write them in `multipart/form-data`: quotes and backslashes in quotes may be
 * escaped, but every other backslash is one, as in the paths that some send for the name of a file.
 * @param text bytes as Latin-1; values come decoded as UTF-8, with U+FFFD for what is not
 * @throws TypeError for what is no parameter, comes twice, or is extended and cannot be decoded
 */
export function parseHeader(text: string): ParameterizedHeader {
  const parameters = new Map<string, string>()
  const semicolon = text.indexOf(';')
  const value = semicolon < 0 ? text : text.slice(0, semicolon)
  let end = value.length
  parameter.lastIndex = end
  for (let found = parameter.exec(text); found; found = parameter.exec(text)) {
    const [, name = '', quoted, bare = ''] = found
    const key = name.toLowerCase()
    if (parameters.has(key)) throw new TypeError(`The parameter ${key} is there twice.`)
    const given = quoted?.replace(/\\(["\\])/g, '$1') ?? bare.trim()
    parameters.set(key, key.endsWith('*') ? decodeExtended(given) : fromUtf8(given))
    end = parameter.lastIndex
  }
  if (/[^;\s]/.test(text.slice(end))) throw new TypeError('A header has what is no parameter.')
  return { value: value.trim().toLowerCase(), parameters }
}

/** What stands between a closing quote and the next semicolon is left out: some clients do not escape quotes. */
const parameter = /;[ \t]*([^=;"\s]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\["\\]|\\(?!["\\]))*)"[^;]*|([^;"]*))/y

const fromUtf8 = (bytes: string): string =>
  /[\x80-\xff]/.test(bytes) ? Buffer.from(bytes, 'latin1').toString() : bytes

/** `UTF-8'en'na%C3%AFve`. RFC 7578 does not want it in forms, but there are clients that send it. */
function decodeExtended(text: string): string {
  const [, charset, encoded] = /^([^']+)'[^']*'(.*)$/.exec(text) ?? []
  if (charset === undefined || encoded === undefined) throw new TypeError('An extended parameter has no charset.')
  const bytes = encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return new TextDecoder(charset, { ignoreBOM: true }).decode(Buffer.from(bytes, 'latin1'))
}
