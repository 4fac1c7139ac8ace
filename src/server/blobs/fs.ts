import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { hasCode } from '../errors.ts'
import { Failure } from '../failure.ts'
import { headBytes } from '../images/media-type.ts'
import type { BlobStore } from './blob-store.ts'

const readAtOnce = 256 * 1024

/** Called when the disk failed to sync: see `db/dialect.ts`. */
type OnSyncError = (error: unknown) => void

/**
 * Blobs as files below `dir`. A file is written to a temporary name, synced, renamed to its key, and the folder
 * synced, so that a key that exists holds all its bytes whatever happens to the machine.
 * Several processes may have the same `dir` open: each receives into a temporary folder of its own.
 */
export async function openFsBlobs(dir: string, onSyncError: OnSyncError): Promise<BlobStore> {
  const kept = join(dir, 'kept')
  const staging = join(dir, 'staging', `${process.pid}-${randomUUID()}`)
  await mkdir(kept, { recursive: true, mode: 0o700 })
  await mkdir(staging, { recursive: true, mode: 0o700 })

  const sync: Sync = async (file) => {
    try {
      await file.sync()
    } catch (error) {
      if (hasCode(error, 'EIO')) onSyncError(error)
      throw error
    }
  }

  /** Folders whose entry in their own folder is known to be on disk; the data folder was there before us. */
  const durable = new Set([dirname(dir)])

  const store = async (path: string, key: string): Promise<void> => {
    const to = join(kept, key)
    const folder = dirname(to)
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await rename(path, to)
      await syncFolder(folder, sync)
      for (let at = folder; !durable.has(at); at = dirname(at)) {
        await syncFolder(dirname(at), sync)
        durable.add(at)
      }
    } catch (error) {
      await rm(to, { force: true }).catch(leaveToSweep)
      throw asStorageFailure(error)
    }
  }

  return {
    async stage(source, maxBytes) {
      const path = join(staging, randomUUID())
      try {
        const written = await write(path, source, maxBytes, sync)
        return { ...written, store: (key) => store(path, key), discard: () => rm(path, { force: true }) }
      } catch (error) {
        await rm(path, { force: true }).catch(leaveToSweep)
        throw asStorageFailure(error)
      }
    },

    async size(key) {
      return (await stat(join(kept, key)).catch(ignoreMissing))?.size
    },

    async open(key, range) {
      const file = await open(join(kept, key)).catch(ignoreMissing)
      return file?.createReadStream({ ...range, highWaterMark: readAtOnce })
    },

    async remove(key) {
      await rm(join(kept, key), { force: true })
    },

    async *keys() {
      const entries = await readdir(kept, { recursive: true, withFileTypes: true })
      for (const entry of entries) if (entry.isFile()) yield relative(kept, join(entry.parentPath, entry.name))
    },

    async close() {
      await rm(staging, { recursive: true, force: true })
    },
  }
}

/** Removes what processes that have ended were still receiving; an import that is under way keeps its own. */
export async function clearStaging(dir: string): Promise<void> {
  const folders = await readdir(join(dir, 'staging')).catch(ignoreMissing)
  for (const folder of folders ?? [])
    if (!isRunning(Number(folder.split('-')[0])))
      await rm(join(dir, 'staging', folder), { recursive: true, force: true })
}

function isRunning(pid: number): boolean {
  // A process of before a restart of the machine may have had our own number.
  if (pid === process.pid) return false
  try {
    // Signal 0 only asks (kill(2)); a number that is none, and a process that is not there, throw.
    return process.kill(pid, 0)
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

type Sync = (file: FileHandle) => Promise<void>

async function write(
  path: string,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
  sync: Sync,
) {
  await using file = await open(path, 'wx', 0o600)
  const hash = createHash('sha256')
  const head: Uint8Array[] = []
  let size = 0
  for await (const chunk of source) {
    if (size < headBytes) head.push(chunk.subarray(0, headBytes - size))
    size += chunk.byteLength
    if (size > maxBytes) throw new Failure('TOO_LARGE')
    hash.update(chunk)
    // Unlike `write`, this goes on where a disk that is nearly full took only a part, and then sees that it is full.
    await file.appendFile(chunk)
  }
  await sync(file)
  return { size, sha256: hash.digest('hex'), head: Buffer.concat(head) }
}

async function syncFolder(path: string, sync: Sync): Promise<void> {
  await using folder = await open(path)
  await sync(folder)
}

function ignoreMissing(error: unknown): undefined {
  if (hasCode(error, 'ENOENT')) return undefined
  throw error
}

/** What cannot be removed now is removed at the next start; why it is to be removed is the error that matters. */
function leaveToSweep(): void {}

function asStorageFailure(error: unknown): unknown {
  if (hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT')) return new Failure('STORAGE_FULL', { cause: error })
  if (hasCode(error, 'EROFS')) return new Failure('STORAGE_READ_ONLY', { cause: error })
  return error
}
