import { quote } from '../../../core/clean-text.ts'
import { OperatorError } from '../../../core/errors.ts'
import { isICalendar } from '../icalendar/icalendar.ts'
import type { ImportWarning } from '../source.ts'
import { createLineFinder } from '../text/lines.ts'
import { isWesternText, likelyReadings } from './likely-encodings.ts'

/** The text of a file, with warnings about a guessed encoding or invalid bytes. */
export interface DecodedText {
  text: string
  warnings: ImportWarning[]
  /** Whether it is a sheet of a workbook, as CSV. */
  isWorkbook?: true
}

/** U+FFFD, which decoders write in place of invalid bytes. */
const replacementCharacter = /\u{FFFD}/gu
const notAscii = /[^\0-\x7f]/

/** Characters shown before the one that a message is about; twice as many from there on. */
const excerptRadius = 25

/**
 * Decodes a file to import. The encoding is that of the byte order mark, else the given one, else UTF-8 if the file is
 * that, else that of its XML or HTML declaration. A file of none is UTF-8 with some invalid bytes, or Windows-1252 (in
 * which Excel saves CSV in many countries) if that is likely text. Any other is refused. Invalid bytes become U+FFFD,
 * with a warning for their line.
 * @param fileName for error messages
 * @param given the encoding named by the organizer
 * @throws OperatorError if an encoding is unknown or uncertain, or if JSON is not UTF-8 (RFC 8259)
 */
export function decodeText(bytes: Buffer, fileName: string, given?: string): DecodedText {
  const { text, warnings } = decode(bytes, fileName, given)
  return { text, warnings: [...warnings, ...remarkOnTwiceEncoded(text)] }
}

function decode(bytes: Buffer, fileName: string, given: string | undefined): DecodedText {
  const named = given === undefined ? undefined : (encodingOf(given) ?? unknownEncoding(given))
  const certain = encodingFromBom(bytes) ?? named ?? encodingFromZeros(bytes) ?? encodingFromEscapes(bytes)
  if (certain !== undefined) return decodeAs(certain, bytes)
  const declared = declaredEncoding(bytes, fileName)
  const utf8 = decodeAs('utf-8', bytes)
  if (utf8.warnings.length === 0) {
    const line = lineOf(utf8.text, notAscii)
    const isContrary = declared !== undefined && declared !== 'utf-8' && line !== undefined
    const message = `The file declares ${declared}, but it is UTF-8 and was read as such.`
    return { ...utf8, warnings: isContrary ? [{ line, message }] : [] }
  }
  if (declared !== undefined) return decodeAs(declared, bytes)
  if (/^\s*[{[]/.test(utf8.text)) {
    const line = lineOf(utf8.text, replacementCharacter)
    throw new OperatorError(
      `${fileName} is not valid UTF-8 (line ${line}). JSON has to be saved as UTF-8. To read it anyway, name its encoding: --encoding NAME.`,
    )
  }
  if (isMostlyUtf8(utf8.text)) return utf8
  const { text } = decodeAs('windows-1252', bytes)
  if (!isWesternText(text, bytes)) throw new OperatorError(uncertainEncoding(bytes, fileName))
  const [line, excerpt] = firstLineBeyondAscii(text)
  const message =
    `The file is not UTF-8; it was read as Windows-1252: ${quote(excerpt)}. If that looks wrong, name its encoding, ` +
    'such as --encoding windows-1250 or --encoding macintosh, or save it as UTF-8.'
  return { text, warnings: [{ line, message }] }
}

function decodeAs(encoding: string, bytes: Buffer): DecodedText {
  const text = new TextDecoder(encoding).decode(encoding === 'utf-8' ? joinFoldedCharacters(bytes) : bytes)
  return { text, warnings: text.includes('\u{FFFD}') ? invalidLineWarnings(text, encoding) : [] }
}

/** The name of an encoding by a label of the Encoding Standard; `undefined` if there is none. */
function encodingOf(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined // RangeError: unknown label
  }
}

function unknownEncoding(label: string): never {
  throw new OperatorError(
    `--encoding ${label} is unknown. Known are those of browsers, such as utf-8, windows-1252, windows-1250, windows-1251, macintosh, gb18030, big5, shift_jis and euc-kr.`,
  )
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

/** UTF-16 has a zero beside every ASCII character, such as a separator: before or after all of them. */
function encodingFromZeros(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 1_000)
  const zeros = (parity: number) => head.filter((byte, at) => byte === 0 && at % 2 === parity).length
  const [even, odd] = [zeros(0), zeros(1)]
  if (Math.max(even, odd) < Math.max(1, head.length / 20, 10 * Math.min(even, odd))) return undefined
  return odd > even ? 'utf-16le' : 'utf-16be'
}

/** ISO-2022-JP is ASCII, with escapes to and from other characters. */
const encodingFromEscapes = (bytes: Buffer): string | undefined =>
  bytes.includes('\x1b$B') || bytes.includes('\x1b$@') ? 'iso-2022-jp' : undefined

/** @throws OperatorError if the declared encoding is unknown */
function declaredEncoding(bytes: Buffer, fileName: string): string | undefined {
  const head = bytes.toString('latin1', 0, 1_000)
  const label =
    /^(?:\s|<!--(?:(?!-->)[\s\S])*-->)*<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'<>]*)["']/.exec(head)?.[1] ??
    /^\s*<[\s\S]*?<meta\s[^>]*?\bcharset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1]
  if (label === undefined) return undefined
  const encoding = encodingOf(label)
  // The declaration was readable, so this is not UTF-16: .NET declares it even for strings saved as UTF-8.
  if (encoding !== undefined) return encoding.startsWith('utf-16') ? 'utf-8' : encoding
  throw new OperatorError(
    `${fileName} declares an unknown encoding, ${quote(label)}. Save it as UTF-8 and declare that, or name its encoding: --encoding NAME.`,
  )
}

/** Text in another encoding contains few byte sequences that are valid UTF-8, and only by accident. */
function isMostlyUtf8(text: string): boolean {
  const valid = count(text, /[^\0-\x7f\u{FFFD}]/gu)
  return valid >= 2 * count(text, replacementCharacter)
}

function count(text: string, pattern: RegExp): number {
  let matches = 0
  for (const _ of text.matchAll(pattern)) matches += 1
  return matches
}

function uncertainEncoding(bytes: Buffer, fileName: string): string {
  const readings = likelyReadings(bytes).map(({ encoding, text }) => ({
    encoding,
    excerpts: text.split(/\r\n?|\n/).map((line) => excerptAt(line, line.search(notAscii))),
  }))
  const line = lineThatDiffersMost(readings.map(({ excerpts }) => excerpts))
  return [
    `${fileName} is not UTF-8, and its encoding is uncertain. Save it as UTF-8, or name the encoding in which it reads well:`,
    ...(readings.length > 0
      ? readings.map(
          ({ encoding, excerpts }) =>
            `  --encoding ${encoding.padEnd(12)}  line ${line + 1}: ${quote(excerpts[line] ?? '')}`,
        )
      : ['  --encoding NAME, such as windows-1252 or gb18030']),
  ].join('\n')
}

/** The index of the first line of which there are most readings. @param readings the excerpts of each line */
function lineThatDiffersMost(readings: readonly (readonly string[])[]): number {
  const counts = (readings[0] ?? []).map((excerpt, at) =>
    excerpt === '' ? 0 : new Set(readings.map((excerpts) => excerpts[at])).size,
  )
  return counts.reduce((most, count, at) => (count > (counts[most] ?? 0) ? at : most), 0)
}

/** The first line with a character beyond ASCII, and what is around it. */
function firstLineBeyondAscii(text: string): [line: number, excerpt: string] {
  const index = text.search(notAscii)
  return [createLineFinder(text)(index), excerptAt(text, index)]
}

/** The part of a line around a character; `''` without one. @param index -1 for none */
const excerptAt = (text: string, index: number): string =>
  index < 0
    ? ''
    : `${lastLine(text.slice(Math.max(0, index - excerptRadius), index))}${firstLine(text.slice(index, index + 2 * excerptRadius))}`

const lineOf = (text: string, pattern: RegExp): number | undefined => {
  const index = text.search(pattern)
  return index === -1 ? undefined : createLineFinder(text)(index)
}

function invalidLineWarnings(text: string, encoding: string): ImportWarning[] {
  const lineAt = createLineFinder(text)
  const name = encoding.toUpperCase()
  const firstIndexByLine = new Map<number, number>()
  for (const { index } of text.matchAll(replacementCharacter)) {
    const line = lineAt(index)
    if (!firstIndexByLine.has(line)) firstIndexByLine.set(line, index)
  }
  return [...firstIndexByLine].map(([line, index]) => ({
    line,
    message: `Invalid ${name}; unreadable characters were replaced with \u{FFFD}: ${quote(excerptAt(text, index))}.`,
  }))
}

const firstLine = (text: string): string => text.split(/[\r\n]/, 1)[0] ?? ''

const lastLine = (text: string): string => text.split(/[\r\n]/).at(-1) ?? ''

/** The bytes of the characters of Windows-1252. */
const windows1252 = new Map(
  [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))].map(
    (character, byte) => [character, byte],
  ),
)
/** Each byte of UTF-8 as a character of Windows-1252: a first one, and those that continue it. */
const misread = /(?:[\u00c2-\u00f4][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]{1,3}){1,100}/gu

/** Reports the first word that was UTF-8, then read as Windows-1252, and saved as UTF-8 again: `FrÃ¼h`. */
function remarkOnTwiceEncoded(text: string): ImportWarning[] {
  for (const { 0: found, index } of text.matchAll(misread)) {
    const original = decodeTwice(found)
    // Other pairs occur by accident, such as É». A single one is only certain with the most frequent lead bytes.
    if (original === undefined || !(/^(?:[ÂÃ]|â€)/.test(found) || original.length > 2)) continue
    const message = `${quote(found)} seems to be “${original}”, encoded as UTF-8 twice; it was used unchanged. Correct the file where it was made.`
    return [{ line: createLineFinder(text)(index), message }]
  }
  return []
}

function decodeTwice(found: string): string | undefined {
  try {
    const bytes = Uint8Array.from(found, (character) => windows1252.get(character) ?? 0)
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined // TypeError: not UTF-8
  }
}
