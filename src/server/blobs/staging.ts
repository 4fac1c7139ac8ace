import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../core/error-code.ts'
import { makeFolder } from '../data-dir/make-folder.ts'
import { throwStorageFailure } from './staged-file.ts'

const below = (dir: string): string => join(dir, 'staging')

/** A folder to receive into, which belongs to one process alone. */
export interface Staging {
  /** @returns the path of a file that is not there yet @throws Failure STORAGE_FULL, STORAGE_READ_ONLY */
  newFile(): Promise<string>
  close(): Promise<void>
}

/** @param dir where several processes may receive */
export async function openStaging(dir: string): Promise<Staging> {
  const folder = join(below(dir), `${process.pid}-${randomUUID()}`)
  await makeFolder(folder)
  return {
    async newFile() {
      // Another server may have cleared it, see there.
      await makeFolder(folder).catch(throwStorageFailure)
      return join(folder, randomUUID())
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Nothing takes as long to arrive. */
const longMs = 24 * 60 * 60 * 1000

/**
 * Removes what processes that have ended were still receiving; an import that is under way keeps its own.
 * @param isShared whether other servers receive there, too. They may be in containers of their own, where a process has
 *   the same number as one here, or one that nobody has here: only what nobody has touched for long is removed then
 */
export async function clearStaging(dir: string, { isShared }: { isShared: boolean }): Promise<void> {
  for (const name of await foldersIn(below(dir))) {
    const folder = join(below(dir), name)
    if (isRunning(Number(name.split('-')[0]))) continue
    if (isShared && (await touchedAt(folder)) > Date.now() - longMs) continue
    await rm(folder, { recursive: true, force: true })
  }
}

/** @returns in milliseconds since 1970; 0 for one that another server has just removed */
const touchedAt = (folder: string): Promise<number> =>
  stat(folder).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )

async function foldersIn(dir: string): Promise<string[]> {
  return readdir(dir).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  })
}

/** Whether another process has this number now. */
export function isRunning(pid: number): boolean {
  // A process of before a restart of the machine may have had our own number.
  if (pid === process.pid) return false
  try {
    // Signal 0 only asks (kill(2)); a number that is none, and a process that is not there, throw.
    return process.kill(pid, 0)
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}
