import { close, createReadStream, fstat, open as openCallback } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { hasCode } from '../../core/errors.ts'
import { makeFolder } from '../data-dir/make-folder.ts'
import type { BlobReader, BlobStore, OpenBlob } from './blob-store.ts'
import { toStorageFailure } from './disk-failures.ts'
import { openPendingKeys } from './pending-keys.ts'
import { stageFile } from './staged-file.ts'
import { openStaging } from './staging.ts'

const readChunkBytes = 256 * 1024

// Raw descriptors: from Node 26 on, a `FileHandle` that a reader forgets to close ends the process.
const openFd = promisify(openCallback)
const statFd = promisify(fstat)
const closeFd = promisify(close)

const storedIn = (dir: string): string => join(dir, 'kept')

/** Reads the blobs of a folder that another process may be serving. Creates nothing there. */
export const fsReader = (dir: string): BlobReader => fsFolderReader(storedIn(dir))

/** @param folder the folder whose files are the blobs */
export function fsFolderReader(folder: string): BlobReader {
  return {
    async size(key) {
      return (await stat(join(folder, key)).catch(ignoreMissing))?.size
    },

    async open(key, range) {
      const fd = await openFd(join(folder, key), 'r').catch(ignoreMissing)
      if (fd === undefined) return undefined
      try {
        const { size } = await statFd(fd)
        return { size, bytes: createReadStream('', { ...range, fd, highWaterMark: readChunkBytes }) } satisfies OpenBlob
      } catch (error) {
        await closeFd(fd)
        throw error
      }
    },

    async *list(within = '') {
      for (const key of await listKeys(folder, within)) {
        const stats = await stat(join(folder, key)).catch(ignoreMissing)
        if (stats) yield { key, size: stats.size, storedAt: stats.mtimeMs }
      }
    },

    async close() {},
  }
}

/** Called when a sync failed: see `GroupCommit`. */
type OnSyncError = (error: unknown) => void

/**
 * Stores blobs as files below `dir`. A file is written under a temporary name, synced, renamed to its key, and the
 * folder synced, so that a key that exists has all its bytes even after a power cut. Several processes may have the
 * same `dir` open: each stages in a folder of its own.
 * @param folder the folder in `dir` whose files are the blobs
 */
export async function openFsBlobs(
  dir: string,
  onSyncError: OnSyncError,
  folder: string = storedIn(dir),
): Promise<BlobStore> {
  await makeFolder(folder)
  const staging = await openStaging(dir)
  const pendingKeys = await openPendingKeys(dir)

  const sync: Sync = async (file) => {
    try {
      await file.sync()
    } catch (error) {
      if (hasCode(error, 'EIO')) onSyncError(error)
      throw error
    }
  }

  /** Folders whose entry in their parent is known to be durable; the data folder existed before us. */
  const durable = new Set([dirname(dir)])

  const store = async (path: string, key: string): Promise<void> => {
    const file = join(folder, key)
    const parent = dirname(file)
    try {
      await pendingKeys.add(key)
      await mkdir(parent, { recursive: true, mode: 0o700 })
      await rename(path, file)
      await syncFolder(parent, sync)
      const created: string[] = []
      for (let at = parent; !durable.has(at); at = dirname(at)) {
        await syncFolder(dirname(at), sync)
        created.push(at)
      }
      // Only now: another file in one of them would not wait for those above.
      for (const path of created) durable.add(path)
    } catch (error) {
      await remove(key).catch(leaveForNextStart)
      throw toStorageFailure(error)
    }
  }

  const remove = async (key: string): Promise<void> => {
    await rm(join(folder, key), { force: true })
    await pendingKeys.delete(key)
  }

  return {
    ...fsFolderReader(folder),

    async stage(source, maxBytes) {
      const path = await staging.newFile()
      const staged = await stageFile(path, source, maxBytes, sync)
      return { ...staged, path, store: (key) => store(path, key), discard: () => rm(path, { force: true }) }
    },

    remove,

    confirm: pendingKeys.delete,

    takePending: pendingKeys.takeOver,

    close: staging.close,
  }
}

async function listKeys(folder: string, within: string): Promise<string[]> {
  const entries = await readdir(join(folder, within), { recursive: true, withFileTypes: true }).catch(ignoreMissing)
  return (entries ?? [])
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
}

type Sync = (file: FileHandle) => Promise<void>

async function syncFolder(path: string, sync: Sync): Promise<void> {
  await using handle = await open(path)
  await sync(handle)
}

function ignoreMissing(error: unknown): undefined {
  if (hasCode(error, 'ENOENT')) return undefined
  throw error
}

/** The next start removes what cannot be removed now; the original error is the one to report. */
function leaveForNextStart(): void {}
