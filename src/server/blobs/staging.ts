import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../errors.ts'
import { makeFolder } from '../make-folder.ts'

const below = (dir: string): string => join(dir, 'staging')

/**
 * Makes a folder to receive into, which belongs to this process alone.
 * @param dir where several processes may receive
 * @returns its path
 */
export async function openStaging(dir: string): Promise<string> {
  const staging = join(below(dir), `${process.pid}-${randomUUID()}`)
  await makeFolder(staging)
  return staging
}

/** Removes what processes that have ended were still receiving; an import that is under way keeps its own. */
export async function clearStaging(dir: string): Promise<void> {
  for (const folder of await foldersIn(below(dir)))
    if (!isRunning(Number(folder.split('-')[0]))) await rm(join(below(dir), folder), { recursive: true, force: true })
}

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
