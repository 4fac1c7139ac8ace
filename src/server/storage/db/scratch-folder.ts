import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { open, readdir, rm } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasCode } from '../../core/errors.ts'
import { makeFolder } from '../data-dir/make-folder.ts'
import { tryLockFile } from './sqlite/lock.ts'

/** A folder for one command, removed when disposed. */
export interface ScratchFolder extends AsyncDisposable {
  path: string
}

const suffix = '.lock'

/**
 * Creates a scratch folder in `dir`, and removes those of commands that were killed. Each is held by a lock of the
 * operating system: a process id means something else in another container.
 */
export async function createScratchFolder(dir: string): Promise<ScratchFolder> {
  await makeFolder(dir)
  await removeAbandoned(dir)
  const path = join(dir, randomUUID())
  let release: (() => void) | undefined
  try {
    release = tryLockFile(path + suffix)
    // Another command has just taken it for that of a killed one.
    if (!release) return await createScratchFolder(dir)
    await makeFolder(path)
  } catch (error) {
    await remove(path, release)
    throw error
  }
  const removal = removeOnSignal([path, path + suffix])
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      await remove(path, release)
      removal[Symbol.dispose]()
    },
  }
}

/** A terminal that closes sends SIGHUP. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Removes paths if a signal ends this process before this is disposed. */
function removeOnSignal(paths: readonly string[]): Disposable {
  const dispose = () => {
    for (const signal of signals) process.off(signal, end)
  }
  const end = (signal: (typeof signals)[number]) => {
    try {
      // In one step, though that delays a server on the same disk: between steps, the command would go on writing.
      for (const path of paths) rmSync(path, { recursive: true, force: true })
    } catch {
      // The next command removes the rest.
    }
    dispose()
    if (process.listenerCount(signal) > 0) return
    process.kill(process.pid, signal)
    // The signal does not end the first process of a container.
    process.exit(128 + constants.signals[signal])
  }
  for (const signal of signals) process.on(signal, end)
  return { [Symbol.dispose]: dispose }
}

/** Removes the scratch folders in `dir` of commands that were killed. */
export async function removeAbandoned(dir: string): Promise<void> {
  const names = new Set((await readdir(dir).catch(noneIfMissing)).map((name) => name.replace(suffix, '')))
  for (const name of names) {
    const path = join(dir, name)
    const release = tryLockFile(path + suffix)
    if (release) await remove(path, release)
  }
}

async function remove(path: string, release: (() => void) | undefined): Promise<void> {
  await removeScratch(path)
  await rm(path + suffix, { force: true })
  release?.()
}

/** Bytes that are freed at once: freeing gigabytes blocks the file system for as long as half a second. */
const stepBytes = 64 * 1024 ** 2
const pauseMs = 5

/** Removes a folder with copies of databases, without delaying a server on the same disk. */
export async function removeScratch(dir: string): Promise<void> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(noneIfMissing)
  for (const entry of entries) if (entry.isFile()) await shorten(join(entry.parentPath, entry.name))
  await rm(dir, { recursive: true, force: true })
}

function noneIfMissing(error: unknown): [] {
  if (hasCode(error, 'ENOENT')) return []
  throw error
}

async function shorten(path: string): Promise<void> {
  await using file = await open(path, 'r+')
  for (let { size } = await file.stat(); size > stepBytes; ) {
    size -= stepBytes
    await file.truncate(size)
    await sleep(pauseMs)
  }
}
