import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { OperatorError } from '../server/operator-error.ts'
import { reasonOf } from './reason.ts'

/** How files that are no text begin, what they are, and what their owner can do about it. */
const strangers: readonly (readonly [magic: Buffer, sentence: string])[] = [
  [Buffer.from('PK\x03\x04', 'latin1'), 'is an Excel workbook or another archive. Save its sheet as CSV first.'],
  [Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'is an old Excel workbook. Save its sheet as CSV first.'],
  [Buffer.from('%PDF-'), 'is a PDF, which holds pages and no table. Export from where it was made.'],
]

/**
 * Reads a text file: UTF-8 or UTF-16 by its byte order mark, UTF-8 without one, and Windows-1252 (what spreadsheets
 * in many countries still write) when it is not valid UTF-8.
 * @throws OperatorError when it cannot be read, or is a workbook or PDF
 */
export async function readText(path: string): Promise<string> {
  const bytes = await readFile(path).catch((cause) => {
    throw new OperatorError(`Cannot read ${resolve(path)}: ${reasonOf(cause)}.`, { cause })
  })
  const stranger = strangers.find(([magic]) => bytes.subarray(0, magic.length).equals(magic))
  if (stranger) throw new OperatorError(`${basename(path)} ${stranger[1]}`)
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
