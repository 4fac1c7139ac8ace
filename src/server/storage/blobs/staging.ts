import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../core/errors.ts'
import { dayMs } from '../../core/time-units.ts'
import { makeFolder } from '../data-dir/make-folder.ts'
import { throwStorageFailure } from './disk-failures.ts'

const stagingFolder = (dir: string): string => join(dir, 'staging')

/** A folder for incoming files, which belongs to one process alone. */
export interface Staging {
  /** @returns the path of a file to create @throws Failure STORAGE_FULL, STORAGE_READ_ONLY */
  newFile(): Promise<string>
  close(): Promise<void>
}

/** @param dir may be shared by several processes */
export async function openStaging(dir: string): Promise<Staging> {
  const folder = join(stagingFolder(dir), `${process.pid}-${randomUUID()}`)
  await makeFolder(folder)
  return {
    async newFile() {
      // Another server may have removed it: see `clearStaging`.
      await makeFolder(folder).catch(throwStorageFailure)
      return join(folder, randomUUID())
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

/** No upload takes this long. */
const abandonedAfterMs = dayMs

/**
 * Removes the staged files of processes that have ended. Those of a running import remain.
 * @param isShared whether other servers stage files there, too. They may run in other containers, where process ids
 *   mean something else: then only folders that were not modified for a day are removed
 */
export async function clearStaging(dir: string, { isShared }: { isShared: boolean }): Promise<void> {
  for (const name of await foldersIn(stagingFolder(dir))) {
    const folder = join(stagingFolder(dir), name)
    if (isRunning(Number(name.split('-')[0]))) continue
    if (isShared && (await modifiedAt(folder)) > Date.now() - abandonedAfterMs) continue
    await rm(folder, { recursive: true, force: true })
  }
}

/** @returns in milliseconds since 1970; 0 if another server has just removed the folder */
const modifiedAt = (folder: string): Promise<number> =>
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

/** Whether another process has this id. */
export function isRunning(pid: number): boolean {
  // Before a restart of the machine, another process may have had our own id.
  if (pid === process.pid) return false
  try {
    // Signal 0 only checks (kill(2)); it throws for an invalid id and for a process that does not exist.
    return process.kill(pid, 0)
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}
