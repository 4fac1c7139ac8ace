import { rm } from 'node:fs/promises'
import { databaseFile, hasDatabaseFile } from './sqlite/open.ts'
import type { DatabaseTarget } from './target.ts'

/**
 * Removes the log and the index of a database file that no longer exists. SQLite itself discards them as it creates the
 * next one; a restore does not depend on that. Does nothing where there is a database.
 */
export async function removeStaleLog(target: DatabaseTarget): Promise<void> {
  if (target.kind !== 'folder' || (await hasDatabaseFile(target.dir))) return
  for (const suffix of ['', '-wal', '-shm', '-journal'])
    await rm(`${databaseFile(target.dir)}${suffix}`, { force: true })
}
