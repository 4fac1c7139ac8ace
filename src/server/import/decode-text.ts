import { OperatorError } from '../core/operator-error.ts'
import { quoted } from './formats/clean.ts'
import { lineFinder } from './formats/lines.ts'
import type { Remark } from './source.ts'

/** The text of a file, and what of its bytes was guessed at or could not be read. */
export interface DecodedText {
  text: string
  remarks: Remark[]
}

/** U+FFFD, which decoders write where bytes are malformed. */
const malformed = /\u{FFFD}/gu

/** As many lines with malformed bytes have a remark of their own; the rest is counted in one. */
const namedLines = 20

/** Characters shown on each side of a malformed byte. */
const context = 25

/**
 * Decodes a file to import. Its encoding is that of its byte order mark, else the one that its XML declaration names,
 * else UTF-8, or Windows-1252 (in which Excel saves CSV in many countries) if beyond ASCII more of it is invalid than
 * valid UTF-8. Malformed bytes become U+FFFD, with a remark for their line.
 * @param fileName for error messages
 * @throws OperatorError if a declared encoding is unknown, or JSON is not UTF-8 (RFC 8259)
 */
export function decodeText(bytes: Buffer, fileName: string): DecodedText {
  const stated = markedEncoding(bytes) ?? declaredEncoding(bytes, fileName)
  const encoding = stated ?? 'utf-8'
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), remarks: [] }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
  const text = new TextDecoder(encoding).decode(bytes)
  if (stated === undefined && /^\s*[{[]/.test(text)) {
    const line = lineFinder(text)(text.search(malformed))
    throw new OperatorError(`${fileName} is not valid UTF-8 (line ${line}), which JSON has to be. Save it as UTF-8.`)
  }
  if (stated === undefined && isMostlyInvalid(text)) return asWindows1252(bytes)
  return { text, remarks: malformedLines(text, encoding) }
}

function markedEncoding(bytes: Buffer): string | undefined {
  const head = bytes.toString('hex', 0, 3)
  if (head === 'efbbbf') return 'utf-8'
  if (head.startsWith('fffe')) return 'utf-16le'
  return head.startsWith('feff') ? 'utf-16be' : undefined
}

/** @throws OperatorError if it is unknown */
function declaredEncoding(bytes: Buffer, fileName: string): string | undefined {
  const head = bytes.toString('latin1', 0, 1_000)
  if (head.startsWith('<\0')) return 'utf-16le'
  if (head.startsWith('\0<')) return 'utf-16be'
  const label = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'<>]*)["']/.exec(head)?.[1]
  if (label === undefined) return undefined
  try {
    const { encoding } = new TextDecoder(label)
    // UTF-16 would not have let us read its declaration; what .NET writes from a string declares it nonetheless.
    return encoding.startsWith('utf-16') ? 'utf-8' : encoding
  } catch (cause) {
    throw new OperatorError(
      `${fileName} declares the encoding ${quoted(label)}, which is unknown. Save it as UTF-8, and declare that.`,
      { cause },
    )
  }
}

/** Few sequences of letters in another encoding are valid UTF-8, and only by accident. */
function isMostlyInvalid(text: string): boolean {
  const valid = count(text, /[^\0-\x7f\u{FFFD}]/gu)
  return valid < count(text, malformed)
}

function count(text: string, pattern: RegExp): number {
  let matches = 0
  for (const _ of text.matchAll(pattern)) matches += 1
  return matches
}

function asWindows1252(bytes: Buffer): DecodedText {
  const text = new TextDecoder('windows-1252').decode(bytes)
  const line = lineFinder(text)(text.search(/[^\0-\x7f]/))
  const reason = 'The file is not UTF-8 and was read as Windows-1252. If letters are wrong, save it as UTF-8.'
  return { text, remarks: [{ line, reason }] }
}

function malformedLines(text: string, encoding: string): Remark[] {
  const lineAt = lineFinder(text)
  const name = encoding.toUpperCase()
  const firstOf = new Map<number, number>()
  for (const { index } of text.matchAll(malformed)) {
    const line = lineAt(index)
    if (!firstOf.has(line)) firstOf.set(line, index)
  }
  const lines = [...firstOf]
  const remarks = lines.slice(0, namedLines).map(([line, index]) => {
    const around = `${lastLine(text.slice(Math.max(0, index - context), index))}${firstLine(text.slice(index, index + context))}`
    return {
      line,
      reason: `This line is not valid ${name}; what could not be read became \u{FFFD}: ${quoted(around)}.`,
    }
  })
  const more = lines.slice(namedLines)
  const line = more[0]?.[0]
  if (line !== undefined)
    remarks.push({ line, reason: `Further lines that are not valid ${name}, from this one on: ${more.length}.` })
  return remarks
}

const firstLine = (text: string): string => text.split(/[\r\n]/, 1)[0] ?? ''

const lastLine = (text: string): string => text.split(/[\r\n]/).at(-1) ?? ''
