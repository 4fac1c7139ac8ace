import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { coalesce } from '../../../core/coalesce.ts'
import { hasCode } from '../../../core/errors.ts'
import { makeFolder } from '../../data-dir/make-folder.ts'
import { GroupCommit } from '../group-commit.ts'
import type { Database } from '../open.ts'
import type { Db } from '../tables.ts'
import { checkpointWholeLog } from './checkpoint.ts'
import { assertAccessible, connect } from './connection.ts'
import { SqliteDamage } from './damage.ts'
import { PositionReader } from './position.ts'
import { createDb } from './queries.ts'
import { maxRebuiltBytes, scrub } from './scrub.ts'
import { SnapshotReads } from './snapshot-reads.ts'
import { SqliteWriter } from './writer.ts'

export const databaseFile = (dir: string): string => join(dir, 'summit.db')

/**
 * Whether a folder holds a database. An empty file does not count: an interrupted restore may leave one, and opening
 * creates one until the first page is written.
 * @throws the system's error when we may not access the folder
 */
export async function hasDatabaseFile(dir: string): Promise<boolean> {
  try {
    const stats = await stat(databaseFile(dir))
    return stats.isFile() && stats.size > 0
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return false
    throw error
  }
}

/** The size of the database with its log; 0 if there is none. */
export async function databaseBytes(dir: string): Promise<number> {
  const sizes = ['', '-wal'].map(async (suffix) => {
    const stats = await stat(databaseFile(dir) + suffix).catch(() => undefined)
    return stats?.size ?? 0
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/**
 * Opens the embedded database under `dir`. Creates it if needed.
 * @param onSyncError see {@link GroupCommit}
 * @param prepareSchema runs before anything else uses the database; its errors are passed on
 */
export async function openSqlite(
  dir: string,
  onSyncError: (error: unknown) => void,
  prepareSchema: (db: Db) => Promise<void>,
): Promise<Database> {
  await makeFolder(dir)
  const file = databaseFile(dir)
  assertAccessible(file)
  const connection = connect(file, 'write')
  checkpointWholeLog(connection)
  const damage = new SqliteDamage(file)
  const write = createDb(connection, damage.translate)
  try {
    await prepareSchema(write)
  } catch (error) {
    connection.close()
    throw error
  }
  const writer = new SqliteWriter(connection, write, damage)
  const reader = connect(file, 'read')
  const read = createDb(reader, damage.translate)
  // On a connection of their own: `read` must never be in a transaction, where it would not see newer commits.
  const snapshots = new SnapshotReads(connect(file, 'read'), damage.translate)
  const positions = new PositionReader(reader, damage.translate)
  damage.watch()
  const commits = new GroupCommit(writer, onSyncError)
  return {
    damage,
    read,
    transaction: commits.run,
    snapshot: snapshots.run,
    position: positions.read,
    // AUTOINCREMENT continues after the highest id so far (https://www.sqlite.org/autoinc.html), and without
    // statistics, which we do not store, SQLite's plans do not depend on the number of rows.
    afterLoad: async () => {},
    scrub: coalesce(() => scrub(file, onSyncError)),
    isRebuilt: async () => (await stat(file)).size <= maxRebuiltBytes,
    close: async () => {
      await commits.idle()
      await snapshots.close()
      reader.close()
      // Last: the last connection to close moves the whole log to the database file, which a reader may not do.
      await writer.close()
    },
  }
}
