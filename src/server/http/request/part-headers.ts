/** The headers of a part of a form. */
export interface PartHeaders {
  name: string
  /** Undefined for a part that is not declared as a file; `''` for a file without a name. */
  fileName: string | undefined
  /** In lower case, without parameters; `text/plain` by default (RFC 7578, 4.4). */
  mediaType: string
}

const maxHeaders = 50

/** A header line. A bare CR or LF is never part of a header. */
const headerPattern = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([^\r\n\0]*)$/

/**
 * Parses the headers of a part of a form. A single malformed line fails them all: the headers that identify the part
 * may be hidden in it.
 * @param text bytes as Latin-1, from after the delimiter line to the empty line
 * @throws TypeError if they are not valid headers of a part of a form
 */
export function parsePartHeaders(text: string): PartHeaders {
  const headers = new Map<string, string>()
  // A line that starts with white space continues the previous one.
  const unfolded = text.replace(/\r\n(?=[ \t])/g, '')
  const lines = unfolded === '' ? [] : unfolded.split('\r\n')
  if (lines.length > maxHeaders) throw new TypeError('part has too many headers')
  for (const line of lines) {
    const [, name, value] = headerPattern.exec(line) ?? []
    if (name === undefined || value === undefined) throw new TypeError('part has a malformed header')
    const key = name.toLowerCase()
    if (key.startsWith('content-') && headers.has(key)) throw new TypeError('part has a repeated header')
    headers.set(key, value)
  }
  const { value, parameters } = parseHeader(headers.get('content-disposition') ?? '')
  const name = parameters.get('name') ?? parameters.get('name*')
  if (value !== 'form-data' || name === undefined) throw new TypeError('part has no field name')
  const fileName = fileNameOf(parameters)
  const [type = ''] = (headers.get('content-type') ?? '').split(';', 1)
  const mediaType = type.trim().toLowerCase() || 'text/plain'
  if (mediaType.startsWith('multipart/') && fileName === undefined)
    throw new TypeError('part is multipart itself, which is obsolete in forms (RFC 7578, 4.3)')
  return { name, fileName, mediaType }
}

/** The extended notation (RFC 8187) unless it is empty or has invalid bytes; else the plain one, if there is one. */
function fileNameOf(parameters: ReadonlyMap<string, string>): string | undefined {
  const [plain, extended] = [parameters.get('filename'), parameters.get('filename*')]
  const isValid = extended && !extended.includes('\uFFFD')
  return isValid || plain === undefined ? extended : decodeEncodedWords(plain)
}

/** A header such as `form-data; name="a"`. */
interface ParameterizedHeader {
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

const encodedWord = /=\?([^?*\s]+)(?:\*[^?\s]*)?\?([bq])\?([ ->@-~]*)\?=/gi
const adjacentWords = /(?:=\?[^?*\s]+(?:\*[^?\s]*)?\?[bq]\?[ ->@-~]*\?=)+/gi

/**
 * Decodes the encoded words of RFC 2047, as in `=?utf-8?Q?Gr=C3=BC=C3=9Fe?=.txt`. RFC 7578 has none in forms, but
 * clients on .NET and Java send them. Words that cannot be decoded remain as they are.
 */
const decodeEncodedWords = (text: string): string =>
  // White space between two words only separates them.
  text.replace(/\?=\s+(?==\?)/g, '?=').replace(adjacentWords, (words) => decodeWords(words) ?? words)

/** A letter may be split over words of one charset, so their bytes are joined before they are decoded. */
function decodeWords(words: string): string | undefined {
  const groups: { charset: string; bytes: Buffer[] }[] = []
  for (const [, charset = '', encoding = '', encoded = ''] of words.matchAll(encodedWord)) {
    const bytes = encoding.toLowerCase() === 'b' ? decodeBase64(encoded) : decodeQ(encoded)
    if (!bytes) return undefined
    const last = groups.at(-1)
    if (last?.charset === charset.toLowerCase()) last.bytes.push(bytes)
    else groups.push({ charset: charset.toLowerCase(), bytes: [bytes] })
  }
  try {
    return groups
      .map(({ charset, bytes }) => new TextDecoder(charset, { fatal: true }).decode(Buffer.concat(bytes)))
      .join('')
  } catch {
    return undefined
  }
}

const decodeBase64 = (text: string): Buffer | undefined =>
  /^[a-z0-9+/]*={0,2}$/i.test(text) ? Buffer.from(text, 'base64') : undefined

function decodeQ(text: string): Buffer {
  const bytes = text
    .replaceAll('_', ' ')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}
