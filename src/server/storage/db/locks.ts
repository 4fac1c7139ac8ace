import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isFolderLocked, lockFolder, tryLockFile } from './sqlite/lock.ts'
import type { DatabaseTarget } from './target.ts'

/**
 * Makes this process the only one that serves a folder, until it ends. A database on a server may be served by several.
 * @returns the function that releases the lock
 * @throws CannotOpen when another process serves the folder
 */
export const lockForServing = (target: DatabaseTarget): (() => void) =>
  target.kind === 'folder' ? lockFolder(target.dir) : () => {}

/** Whether a process holds the lock of {@link lockForServing}; false for a database on a server. */
export const isServed = (target: DatabaseTarget): boolean => target.kind === 'folder' && isFolderLocked(target.dir)

const retryMs = 500

/**
 * Takes the lock that commands hold while they remove stored files, or copy them for a backup: a file of a snapshot
 * must not disappear before it is copied. Servers take it to finish erasures.
 * @returns the function that releases the lock; undefined when another process holds it
 */
export async function tryLockForMaintenance(target: DatabaseTarget): Promise<(() => unknown) | undefined> {
  if (target.kind === 'folder') return tryLockFile(join(target.dir, 'maintenance.lock'))
  const { tryAdvisoryLock } = await import('./postgres/advisory-lock.ts')
  return tryAdvisoryLock(target.url)
}

/**
 * Waits for the lock of {@link tryLockForMaintenance}.
 * @param onWait called once if another process holds it
 */
export async function lockForMaintenance(target: DatabaseTarget, onWait: () => void): Promise<() => unknown> {
  for (let attempt = 0; ; attempt++) {
    const release = await tryLockForMaintenance(target)
    if (release) return release
    if (attempt === 0) onWait()
    await sleep(retryMs)
  }
}

/** Takes the lock of a folder in which only one process at a time may store or remove backups. */
export const tryLockFolder = (dir: string): (() => void) | undefined => tryLockFile(join(dir, 'backup.lock'))
