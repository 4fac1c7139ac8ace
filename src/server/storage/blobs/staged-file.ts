import { createHash } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { uploadsMember } from '../../../contract/uploads.ts'
import { bodyField, Failure } from '../../core/failure.ts'
import { toStorageFailure } from './disk-failures.ts'
import { headBytes } from './media-type.ts'

/**
 * Bytes after which a file that is being written is synced. The sync of a whole large file would delay the commits of
 * the database on the same disk by as long as it takes to write it.
 */
export const syncEveryBytes = 8 * 1024 * 1024

/** The properties of a staged file, computed while it was written. */
export interface StagedFile {
  size: number
  /** Lower-case hex. */
  sha256: string
  head: Uint8Array
}

/**
 * Writes a stream to a new file without buffering it in memory. A chunk may be reused once the next one is requested.
 * @param complete called with the open file once everything is written, for example to sync it
 * @throws Failure TOO_LARGE, STORAGE_FULL, STORAGE_READ_ONLY, or the error of the source; the file is removed then
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
    // The next start removes what cannot be removed now; the original error is the one to report.
    await rm(path, { force: true }).catch(() => {})
    throw toStorageFailure(error)
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
  let unsynced = 0
  for await (const chunk of source) {
    if (size < headBytes) head.push(Buffer.from(chunk.subarray(0, headBytes - size)))
    size += chunk.byteLength
    if (size > maxBytes) throw fileTooLarge(maxBytes)
    hash.update(chunk)
    // Unlike `write`, this continues after a short write on a nearly full disk, and then fails with ENOSPC.
    await file.appendFile(chunk)
    unsynced += chunk.byteLength
    if (unsynced < syncEveryBytes) continue
    await file.datasync()
    unsynced = 0
  }
  return { size, sha256: hash.digest('hex'), head: Buffer.concat(head) }
}

const fileTooLarge = (maxBytes: number): Failure =>
  new Failure('TOO_LARGE', {
    fields: [bodyField(uploadsMember, 'TOO_LARGE', `A file may have at most ${maxBytes} bytes.`)],
  })
