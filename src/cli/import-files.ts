import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { OperatorError } from '../server/core/errors.ts'
import { isParticipantsTable } from '../server/domains/import/csv/participants-csv.ts'
import type { DecodedText } from '../server/domains/import/encoding/decode-text.ts'
import {
  type ProgramFiles,
  readProgramBytes,
  toNamedText,
  toText,
} from '../server/domains/import/encoding/program-files.ts'
import { reasonOf } from './reason.ts'

/**
 * Reads the file of a program, or a zip, and the files that name its venues and speakers.
 * @throws OperatorError if a file cannot be read, or the zip has no program or several
 */
export async function readProgramFiles(
  path: string,
  { venues, speakers, encoding }: { venues?: string; speakers?: string; encoding?: string },
): Promise<ProgramFiles> {
  const files = await readProgramBytes(await readBytes(path), basename(path), encoding)
  const readNamed = async (other: string, kind: 'venues' | 'speakers') =>
    toNamedText(await readBytes(other), basename(other), encoding, kind)
  return {
    ...files,
    ...(venues !== undefined && { venues: await readNamed(venues, 'venues') }),
    ...(speakers !== undefined && { speakers: await readNamed(speakers, 'speakers') }),
  }
}

/**
 * Reads a list of participants, see `toText`.
 * @throws OperatorError if it cannot be read or decoded
 */
export async function readParticipantsFile(path: string, encoding: string | undefined): Promise<DecodedText> {
  return toText(await readBytes(path), basename(path), encoding, isParticipantsTable)
}

/** @throws OperatorError if the file cannot be read */
const readBytes = (path: string): Promise<Buffer> =>
  readFile(path).catch((cause) => {
    throw new OperatorError(`Cannot read ${resolve(path)}: ${reasonOf(cause)}.`, { cause })
  })
