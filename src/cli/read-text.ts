import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { OperatorError } from '../server/core/operator-error.ts'
import { type DecodedText, decodeText } from '../server/domains/import/decode-text.ts'
import { reasonOf } from './reason.ts'

/** The signatures of common binary files, with advice for the organizer. */
const binaryFiles: readonly (readonly [magic: Buffer, message: string])[] = [
  [Buffer.from('PK\x03\x04', 'latin1'), 'is an Excel workbook or another archive. Save the sheet as CSV first.'],
  [Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'is an old Excel workbook. Save the sheet as CSV first.'],
  [Buffer.from('ffd8ff', 'hex'), 'is an image. Pictures of sessions and people are imported with import images.'],
  [Buffer.from('89504e47', 'hex'), 'is an image. Pictures of sessions and people are imported with import images.'],
  [Buffer.from('%PDF-'), 'is a PDF, which cannot be imported. Export the data from the program that made it.'],
]

/**
 * Reads a text file in the given encoding, or detects it (see `decodeText`).
 * @throws OperatorError if it cannot be read or decoded, or is a workbook or PDF
 */
export async function readText(path: string, encoding?: string): Promise<DecodedText> {
  return toText(await readBytes(path), basename(path), encoding)
}

/** @throws OperatorError if the file cannot be read */
export const readBytes = (path: string): Promise<Buffer> =>
  readFile(path).catch((cause) => {
    throw new OperatorError(`Cannot read ${resolve(path)}: ${reasonOf(cause)}.`, { cause })
  })

/** @throws OperatorError if the bytes cannot be decoded, or are a workbook or PDF */
export function toText(bytes: Buffer, name: string, encoding?: string): DecodedText {
  const binaryFile = binaryFiles.find(([magic]) => bytes.subarray(0, magic.length).equals(magic))
  if (binaryFile) throw new OperatorError(`${name} ${binaryFile[1]}`)
  return decodeText(bytes, name, encoding)
}
