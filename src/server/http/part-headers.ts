import { parseHeader } from './header-parameters.ts'

/** What a part of a form says of itself. */
export interface PartHeaders {
  name: string
  /** Undefined for a part that does not say to be a file; `''` for a file without a name. */
  fileName: string | undefined
  /** In lower case, without parameters; `text/plain` for a part that does not say (RFC 7578, 4.4). */
  mediaType: string
}

const mostHeaders = 50

/** A header, or what is none; a line break outside of CRLF never is a part of one. */
const header = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([^\r\n\0]*)$/

/**
 * Reads the headers of a part of a form. All of them have to be headers: what follows one that is not may be those that
 * say what the part is.
 * @param text bytes as Latin-1: what stands between the delimiter line and the empty line
 * @throws TypeError for what is not the headers of a part of a form
 */
export function parsePartHeaders(text: string): PartHeaders {
  const headers = new Map<string, string>()
  // A line that begins with white space continues the one before it.
  const unfolded = text.replace(/\r\n(?=[ \t])/g, '')
  const lines = unfolded === '' ? [] : unfolded.split('\r\n')
  if (lines.length > mostHeaders) throw new TypeError('A part has too many headers.')
  for (const line of lines) {
    const [, name, value] = header.exec(line) ?? []
    if (name === undefined || value === undefined) throw new TypeError('A part has a header that is none.')
    const key = name.toLowerCase()
    if (key.startsWith('content-') && headers.has(key)) throw new TypeError(`A part has two headers ${key}.`)
    headers.set(key, value)
  }
  const { value, parameters } = parseHeader(headers.get('content-disposition') ?? '')
  const name = parameters.get('name') ?? parameters.get('name*')
  if (value !== 'form-data' || name === undefined) throw new TypeError('A part does not say which field it is.')
  const fileName = parameters.get('filename') ?? parameters.get('filename*')
  const [type = ''] = (headers.get('content-type') ?? '').split(';', 1)
  const mediaType = type.trim().toLowerCase() || 'text/plain'
  if (mediaType.startsWith('multipart/') && fileName === undefined)
    throw new TypeError('A part has parts of its own, which forms have no longer (RFC 7578, 4.3).')
  return { name, fileName, mediaType }
}
