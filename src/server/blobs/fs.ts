import { close as closeNumbered, createReadStream, open as openNumbered, fstat as statNumbered } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { hasCode } from '../core/error-code.ts'
import { makeFolder } from '../data-dir/make-folder.ts'
import type { BlobReader, BlobStore, OpenBlob } from './blob-store.ts'
import { openPendingKeys } from './pending-keys.ts'
import { asStorageFailure, stageFile } from './staged-file.ts'
import { openStaging } from './staging.ts'

const readAtOnce = 256 * 1024

/** Its number: a `FileHandle` that the taker of the bytes forgets to close ends the process, from Node 26 on. */
const openFd = promisify(openNumbered)
const statFd = promisify(statNumbered)
const closeFd = promisify(closeNumbered)

const keptIn = (dir: string): string => join(dir, 'kept')

/** Reads the blobs of a folder that another process may be serving; makes nothing there. */
export function fsReader(dir: string): BlobReader {
  const kept = keptIn(dir)
  return {
    async size(key) {
      return (await stat(join(kept, key)).catch(ignoreMissing))?.size
    },

    async open(key, range) {
      const fd = await openFd(join(kept, key), 'r').catch(ignoreMissing)
      if (fd === undefined) return undefined
      try {
        const { size } = await statFd(fd)
        return { size, bytes: createReadStream('', { ...range, fd, highWaterMark: readAtOnce }) } satisfies OpenBlob
      } catch (error) {
        await closeFd(fd)
        throw error
      }
    },

    async close() {},
  }
}

/** Called when the disk failed to sync: see `GroupCommit`. */
type OnSyncError = (error: unknown) => void

/**
 * Blobs as files below `dir`. A file is written to a temporary name, synced, renamed to its key, and the folder
 * synced, so that a key that exists holds all its bytes whatever happens to the machine.
 * Several processes may have the same `dir` open: each receives into a temporary folder of its own.
 */
export async function openFsBlobs(dir: string, onSyncError: OnSyncError): Promise<BlobStore> {
  const kept = keptIn(dir)
  await makeFolder(kept)
  const staging = await openStaging(dir)
  const notes = await openPendingKeys(dir)

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
      await notes.add(key)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await rename(path, to)
      await syncFolder(folder, sync)
      for (let at = folder; !durable.has(at); at = dirname(at)) {
        await syncFolder(dirname(at), sync)
        durable.add(at)
      }
    } catch (error) {
      await remove(key).catch(leaveToNextStart)
      throw asStorageFailure(error)
    }
  }

  const remove = async (key: string): Promise<void> => {
    await rm(join(kept, key), { force: true })
    await notes.forget(key)
  }

  return {
    ...fsReader(dir),

    async stage(source, maxBytes) {
      const path = await staging.newFile()
      const staged = await stageFile(path, source, maxBytes, sync)
      return { ...staged, store: (key) => store(path, key), discard: () => rm(path, { force: true }) }
    },

    remove,

    confirm: notes.forget,

    async *list() {
      for (const key of await keys(kept)) {
        const found = await stat(join(kept, key)).catch(ignoreMissing)
        if (found) yield { key, storedAt: found.mtimeMs }
      }
    },

    takePending: notes.inherit,

    close: staging.close,
  }
}

async function keys(kept: string): Promise<string[]> {
  const entries = await readdir(kept, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => relative(kept, join(parentPath, name)))
}

type Sync = (file: FileHandle) => Promise<void>

async function syncFolder(path: string, sync: Sync): Promise<void> {
  await using folder = await open(path)
  await sync(folder)
}

function ignoreMissing(error: unknown): undefined {
  if (hasCode(error, 'ENOENT')) return undefined
  throw error
}

/** What cannot be removed now is removed at the next start; why it is to be removed is the error that matters. */
function leaveToNextStart(): void {}
