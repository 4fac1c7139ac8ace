import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { OperatorError } from '../server/core/operator-error.ts'
import { type DecodedText, decodeText } from '../server/import/decode-text.ts'
import { reasonOf } from './reason.ts'

/** How files that are no text begin, what they are, and what their owner can do about it. */
const strangers: readonly (readonly [magic: Buffer, sentence: string])[] = [
  [Buffer.from('PK\x03\x04', 'latin1'), 'is an Excel workbook or another archive. Save its sheet as CSV first.'],
  [Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'is an old Excel workbook. Save its sheet as CSV first.'],
  [Buffer.from('%PDF-'), 'is a PDF, which holds pages and no table. Export from where it was made.'],
]

/**
 * Reads a text file, in whatever encoding it is (see `decodeText`).
 * @throws OperatorError when it cannot be read or decoded, or is a workbook or PDF
 */
export async function readText(path: string): Promise<DecodedText> {
  const bytes = await readFile(path).catch((cause) => {
    throw new OperatorError(`Cannot read ${resolve(path)}: ${reasonOf(cause)}.`, { cause })
  })
  const stranger = strangers.find(([magic]) => bytes.subarray(0, magic.length).equals(magic))
  if (stranger) throw new OperatorError(`${basename(path)} ${stranger[1]}`)
  return decodeText(bytes, basename(path))
}
