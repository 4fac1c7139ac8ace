import { OperatorError } from '../core/operator-error.ts'
import { quote } from './formats/clean.ts'
import { isICalendar } from './formats/icalendar.ts'
import { createLineFinder } from './formats/lines.ts'
import type { ImportWarning } from './source.ts'

/** The text of a file, with warnings about a guessed encoding or invalid bytes. */
export interface DecodedText {
  text: string
  warnings: ImportWarning[]
}

/** U+FFFD, which decoders write in place of invalid bytes. */
const replacementCharacter = /\u{FFFD}/gu

/** Characters shown on each side of an invalid byte. */
const excerptRadius = 25

/**
 * Decodes a file to import. The encoding is taken from the byte order mark, else from the XML declaration. Without
 * either it is UTF-8, or Windows-1252 (in which Excel saves CSV in many countries) if more of the non-ASCII text is
 * invalid than valid UTF-8. Invalid bytes become U+FFFD, with a warning for their line.
 * @param fileName for error messages
 * @throws OperatorError if the declared encoding is unknown, or if JSON is not UTF-8 (RFC 8259)
 */
export function decodeText(file: Buffer, fileName: string): DecodedText {
  const explicitEncoding = encodingFromBom(file) ?? encodingFromXml(file, fileName)
  const encoding = explicitEncoding ?? 'utf-8'
  const bytes = encoding === 'utf-8' ? joinFoldedCharacters(file) : file
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), warnings: [] }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
  const text = new TextDecoder(encoding).decode(bytes)
  if (explicitEncoding === undefined && /^\s*[{[]/.test(text)) {
    const line = createLineFinder(text)(text.search(replacementCharacter))
    throw new OperatorError(`${fileName} is not valid UTF-8 (line ${line}). JSON has to be saved as UTF-8.`)
  }
  if (explicitEncoding === undefined && isMostlyInvalidUtf8(text)) return decodeWindows1252(bytes)
  return { text, warnings: invalidLineWarnings(text, encoding) }
}

/**
 * Calendars are folded by bytes, also inside a character (RFC 5545, 3.1). Its bytes after the fold are put before it: the
 * unfolded text is the same, and so are the numbers of the lines.
 */
function joinFoldedCharacters(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1')
  if (!isICalendar(text)) return bytes
  return Buffer.from(text.replace(/([\x80-\xff])((?:\r\n?|\n)[ \t])([\x80-\xbf]+)/g, '$1$3$2'), 'latin1')
}

function encodingFromBom(bytes: Buffer): string | undefined {
  const head = bytes.toString('hex', 0, 3)
  if (head === 'efbbbf') return 'utf-8'
  if (head.startsWith('fffe')) return 'utf-16le'
  return head.startsWith('feff') ? 'utf-16be' : undefined
}

/** @throws OperatorError if the declared encoding is unknown */
function encodingFromXml(bytes: Buffer, fileName: string): string | undefined {
  const head = bytes.toString('latin1', 0, 1_000)
  if (head.startsWith('<\0')) return 'utf-16le'
  if (head.startsWith('\0<')) return 'utf-16be'
  const label = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'<>]*)["']/.exec(head)?.[1]
  if (label === undefined) return undefined
  try {
    const { encoding } = new TextDecoder(label)
    // The declaration was readable, so this is not UTF-16: .NET declares it even for strings saved as UTF-8.
    return encoding.startsWith('utf-16') ? 'utf-8' : encoding
  } catch (cause) {
    throw new OperatorError(
      `${fileName} declares an unknown encoding, ${quote(label)}. Save it as UTF-8 and declare that.`,
      { cause },
    )
  }
}

/** Text in another encoding contains few byte sequences that are valid UTF-8, and only by accident. */
function isMostlyInvalidUtf8(text: string): boolean {
  const valid = count(text, /[^\0-\x7f\u{FFFD}]/gu)
  return valid < count(text, replacementCharacter)
}

function count(text: string, pattern: RegExp): number {
  let matches = 0
  for (const _ of text.matchAll(pattern)) matches += 1
  return matches
}

function decodeWindows1252(bytes: Buffer): DecodedText {
  const text = new TextDecoder('windows-1252').decode(bytes)
  const line = createLineFinder(text)(text.search(/[^\0-\x7f]/))
  const message = 'The file is not UTF-8; it was read as Windows-1252. If characters look wrong, save it as UTF-8.'
  return { text, warnings: [{ line, message }] }
}

function invalidLineWarnings(text: string, encoding: string): ImportWarning[] {
  const lineAt = createLineFinder(text)
  const name = encoding.toUpperCase()
  const firstIndexByLine = new Map<number, number>()
  for (const { index } of text.matchAll(replacementCharacter)) {
    const line = lineAt(index)
    if (!firstIndexByLine.has(line)) firstIndexByLine.set(line, index)
  }
  return [...firstIndexByLine].map(([line, index]) => {
    const excerpt = `${lastLine(text.slice(Math.max(0, index - excerptRadius), index))}${firstLine(text.slice(index, index + excerptRadius))}`
    return {
      line,
      message: `Invalid ${name}; unreadable characters were replaced with \u{FFFD}: ${quote(excerpt)}.`,
    }
  })
}

const firstLine = (text: string): string => text.split(/[\r\n]/, 1)[0] ?? ''

const lastLine = (text: string): string => text.split(/[\r\n]/).at(-1) ?? ''
