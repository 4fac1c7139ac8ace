import { throwUncaught } from '../../core/errors.ts'
import { migrateTo } from './migrate.ts'
import type { Database } from './open.ts'
import { inspectSqlite } from './sqlite/inspection.ts'
import { openSqlite } from './sqlite/open.ts'
import { copySnapshot } from './sqlite/snapshot.ts'
import type { Db } from './tables.ts'
import type { DatabaseTarget } from './target.ts'

/** A database of any schema version, open for copying while servers may be writing to it. It is not migrated. */
export interface DatabaseSnapshot {
  /** Reads a single state if {@link copyFile} is absent. */
  readonly read: Db
  /**
   * Copies one state to a new file of SQLite, without secrets; absent where the rows have to be copied.
   * @throws CannotOpen when the database is damaged or the disk is full
   */
  copyFile?(file: string): Promise<void>
  close(): Promise<void>
}

/** @throws the error of connecting, if there is no server */
export async function openSnapshot(target: DatabaseTarget): Promise<DatabaseSnapshot> {
  if (target.kind === 'folder') {
    const { dir } = target
    return { ...(await inspectSqlite(dir)), copyFile: (file) => copySnapshot(dir, file) }
  }
  const { openPostgresSnapshot } = await import('./postgres/snapshot.ts')
  return openPostgresSnapshot(target.url)
}

/** Opens a new database file in `dir` with the tables of another database, in its schema and without rows. */
export const createEmptyCopy = (dir: string, migrations: readonly string[]): Promise<Database> =>
  openSqlite(dir, throwUncaught, (db) => migrateTo(db, migrations))
