import { decodeEncodedWords } from './encoded-words.ts'
import { parseHeader } from './header-parameters.ts'

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
