import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { hasCode } from '../errors.ts'
import { Failure } from '../failure.ts'
import type { BlobStore, StagedBlob } from './blob-store.ts'

const headBytes = 4_100
const readAtOnce = 256 * 1024

/**
 * Blobs as files below `dir`. A file is written to a temporary name, synced, renamed to its key, and the folder
 * synced, so that a key that exists holds all its bytes whatever happens to the machine.
 * What a killed process left in the temporary folder is removed on opening.
 * @param dir of this process alone; the caller holds the lock
 */
export async function openFsBlobs(dir: string): Promise<BlobStore> {
  const kept = join(dir, 'kept')
  const staging = join(dir, 'staging', randomUUID())
  await mkdir(kept, { recursive: true, mode: 0o700 })
  await mkdir(staging, { recursive: true, mode: 0o700 })

  return {
    async stage(source, maxBytes) {
      const path = join(staging, randomUUID())
      const file = await open(path, 'wx', 0o600)
      try {
        const written = await write(file, source, maxBytes)
        await file.sync()
        return stagedBlob(kept, path, written)
      } catch (error) {
        await rm(path, { force: true })
        throw asStorageFailure(error)
      } finally {
        await file.close()
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
  }
}

/** Removes what earlier processes were still receiving when they ended. Call while no other process serves `dir`. */
export async function clearStaging(dir: string): Promise<void> {
  await rm(join(dir, 'staging'), { recursive: true, force: true })
}

async function write(file: FileHandle, source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, maxBytes: number) {
  const hash = createHash('sha256')
  const head: Uint8Array[] = []
  let size = 0
  for await (const chunk of source) {
    if (size < headBytes) head.push(chunk.subarray(0, headBytes - size))
    size += chunk.byteLength
    if (size > maxBytes) throw new Failure('TOO_LARGE')
    hash.update(chunk)
    await file.write(chunk)
  }
  return { size, sha256: hash.digest('hex'), head: Buffer.concat(head) }
}

function stagedBlob(kept: string, path: string, written: Pick<StagedBlob, 'size' | 'sha256' | 'head'>): StagedBlob {
  return {
    ...written,
    async store(key) {
      const folder = dirname(join(kept, key))
      const made = await mkdir(folder, { recursive: true, mode: 0o700 })
      await rename(path, join(kept, key))
      await syncFolder(folder)
      // A folder that is new is itself an entry of its parent.
      if (made) for (let at = folder; at.length > kept.length; at = dirname(at)) await syncFolder(dirname(at))
    },
    discard: () => rm(path, { force: true }),
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function ignoreMissing(error: unknown): undefined {
  if (hasCode(error, 'ENOENT')) return undefined
  throw error
}

function asStorageFailure(error: unknown): unknown {
  if (hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT')) return new Failure('STORAGE_FULL', { cause: error })
  if (hasCode(error, 'EROFS')) return new Failure('STORAGE_READ_ONLY', { cause: error })
  return error
}
