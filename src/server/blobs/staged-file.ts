import { createHash } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { hasCode } from '../core/error-code.ts'
import { Failure } from '../core/failure.ts'
import { headBytes } from '../images/media-type.ts'

/** What was written to a file, told while it passed. */
export interface StagedFile {
  size: number
  /** Lower-case hex. */
  sha256: string
  head: Uint8Array
}

/**
 * Writes a stream to a new file without holding it in memory; done with each chunk when it asks for the next.
 * @param complete awaited on the open file once all is written, to sync it for instance
 * @throws Failure TOO_LARGE, STORAGE_FULL, STORAGE_READ_ONLY, or what the source fails with; the file is gone then
 */
export async function stageFile(
  path: string,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
  complete: (file: FileHandle) => Promise<void> = async () => {},
): Promise<StagedFile> {
  try {
    await using file = await open(path, 'wx', 0o600)
    const staged = await write(file, source, maxBytes)
    await complete(file)
    return staged
  } catch (error) {
    // What cannot be removed now is removed at the next start; why it is to be removed is the error that matters.
    await rm(path, { force: true }).catch(() => {})
    throw asStorageFailure(error)
  }
}

async function write(
  file: FileHandle,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<StagedFile> {
  const hash = createHash('sha256')
  const head: Uint8Array[] = []
  let size = 0
  for await (const chunk of source) {
    if (size < headBytes) head.push(Buffer.from(chunk.subarray(0, headBytes - size)))
    size += chunk.byteLength
    if (size > maxBytes) throw new Failure('TOO_LARGE')
    hash.update(chunk)
    // Unlike `write`, this goes on where a disk that is nearly full took only a part, and then sees that it is full.
    await file.appendFile(chunk)
  }
  return { size, sha256: hash.digest('hex'), head: Buffer.concat(head) }
}

/** What a local disk says, by the contract's name. */
export function asStorageFailure(error: unknown): unknown {
  if (hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT')) return new Failure('STORAGE_FULL', { cause: error })
  if (['EROFS', 'EACCES', 'EPERM'].some((code) => hasCode(error, code)))
    return new Failure('STORAGE_READ_ONLY', { cause: error })
  return error
}

export function throwStorageFailure(error: unknown): never {
  throw asStorageFailure(error)
}
