import { open, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { hasCode } from '../server/core/error-code.ts'
import { OperatorError } from '../server/core/operator-error.ts'
import { reasonOf } from './reason.ts'

/**
 * Makes a file with what `write` writes to it. When that fails, nothing is left that would be in the way next time.
 * @throws OperatorError that names the file when it is there already, or cannot be written; what `write` fails with
 */
export async function writeNewFile(path: string, write: (to: Writable) => Promise<void>): Promise<void> {
  await using file = await open(path, 'wx').catch((cause: unknown) => refuse(path, cause))
  try {
    await write(file.createWriteStream({ flush: true }))
  } catch (error) {
    await rm(path, { force: true })
    if (isOfFile(error)) refuse(path, error)
    throw error
  }
}

/** Whatever else fails meanwhile, such as the connection to a database, does not for any of these reasons. */
const isOfFile = (error: unknown): boolean => ['ENOSPC', 'EDQUOT', 'EIO', 'EFBIG'].some((code) => hasCode(error, code))

function refuse(path: string, cause: unknown): never {
  const reason = reasonOf(cause, {
    EEXIST: 'it exists already; name a new file',
    ENOENT: 'there is no folder for it',
  })
  throw new OperatorError(`Cannot write ${resolve(path)}: ${reason}.`, { cause })
}
