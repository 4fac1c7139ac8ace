import { open, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { type Stringifier, stringify } from 'csv-stringify'
import { hasCode, OperatorError } from '../server/core/errors.ts'
import { csvOptions } from '../server/domains/export/csv-options.ts'
import { reasonOf } from './reason.ts'

/**
 * Creates a file with the output of `write`, and removes it if `write` fails.
 * @returns the result of `write`
 * @throws OperatorError that names the file if it exists or cannot be written; any other error of `write`
 */
export async function writeNewFile<T>(path: string, write: (to: Writable) => Promise<T>): Promise<T> {
  await using file = await open(path, 'wx').catch((cause: unknown) => throwCannotWrite(path, cause))
  try {
    return await write(file.createWriteStream({ flush: true }))
  } catch (error) {
    await rm(path, { force: true })
    if (isFileError(error)) throwCannotWrite(path, error)
    throw error
  }
}

/** Only writing a file fails with these codes; a lost database connection, for example, has others. */
const isFileError = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EIO', 'EFBIG'].some((code) => hasCode(error, code))

function throwCannotWrite(path: string, cause: unknown): never {
  const reason = reasonOf(cause, {
    EEXIST: 'it already exists; choose a new name',
    ENOENT: 'its folder does not exist',
  })
  throw new OperatorError(`Cannot write ${resolve(path)}: ${reason}.`, { cause })
}

/** Formats rows as CSV for spreadsheets. */
export const createCsvWriter = (columns: readonly string[]): Stringifier => stringify(csvOptions(columns))
