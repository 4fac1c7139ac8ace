import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tryLockFile } from './sqlite/lock.ts'
import type { DatabaseTarget } from './target.ts'

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

/** Takes the lock of a folder in which only one process at a time may store or remove backups. */
export const tryLockFolder = (dir: string): (() => void) | undefined => tryLockFile(join(dir, 'backup.lock'))

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
