import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CannotOpen } from '../cannot-open.ts'
import { assertAccessible } from './connection.ts'
import { isBusy, isDamaged } from './errors.ts'

/**
 * Makes this process the only one that serves `dataDir`, or that replaces or rebuilds its database, until it ends.
 * @returns the function that releases the lock
 * @throws CannotOpen when another process holds the lock, or the lock file is damaged
 */
export function lockFolder(dataDir: string): () => void {
  const folder = resolve(dataDir)
  const release = tryLockFile(join(folder, 'serving.lock'))
  if (!release)
    throw new CannotOpen(
      `Another Summit is already serving ${folder}, or a command is restoring, moving or rebuilding its database. Stop ` +
        'that server, wait until the command has finished, or set DATA_DIR to another folder.',
    )
  return release
}

/** Whether another process holds {@link lockFolder}. Creates nothing, and takes the lock of nobody. */
export function isFolderLocked(dataDir: string): boolean {
  const file = join(dataDir, 'serving.lock')
  if (!existsSync(file)) return false
  const connection = new DatabaseSync(file, { readOnly: true })
  try {
    connection.prepare('select 1 from sqlite_schema').get()
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw error
  } finally {
    connection.close()
  }
}

/**
 * Takes a lock of the operating system, held through a transaction on a database of its own, so that a killed process
 * leaves none behind.
 * @returns the function that releases the lock; undefined when another process holds it
 * @throws CannotOpen when the file is damaged
 */
export function tryLockFile(file: string): (() => void) | undefined {
  assertAccessible(file)
  const connection = new DatabaseSync(file)
  try {
    // A journal on disk would outlive a killed process.
    connection.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    connection.close()
    if (isBusy(error)) return undefined
    if (isDamaged(error))
      throw new CannotOpen(`${file} is damaged. Remove it; it holds no data, and the next start creates it again.`)
    throw error
  }
  return () => connection.close()
}
