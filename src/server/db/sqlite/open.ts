import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../core/error-code.ts'
import { makeFolder } from '../../data-dir/make-folder.ts'
import { GroupCommit } from '../group-commit.ts'
import { migrate } from '../migrate.ts'
import type { Database } from '../open.ts'
import { checkpointWholeLog } from './checkpoint.ts'
import { connect, queries } from './connection.ts'
import { SqliteDamage } from './damage.ts'
import { assertOurs } from './foreign.ts'
import { PositionLook } from './position.ts'
import { Snapshots } from './snapshots.ts'
import { SqliteWriter } from './writer.ts'

export const fileIn = (dir: string): string => join(dir, 'summit.db')

/**
 * Whether a folder holds a database. An empty file is none: a restore that was cut off may leave one, and so does opening
 * it, until the first page is written.
 * @throws what the system says where one may not look
 */
export async function hasFile(dir: string): Promise<boolean> {
  try {
    const found = await stat(fileIn(dir))
    return found.isFile() && found.size > 0
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return false
    throw error
  }
}

/**
 * Opens the embedded database under `dir`, made and migrated where needed.
 * @param onSyncError see {@link GroupCommit}
 * @throws NewerSchema
 */
export async function openSqlite(dir: string, onSyncError: (error: unknown) => void): Promise<Database> {
  await makeFolder(dir)
  const file = fileIn(dir)
  assertOurs(file)
  const connection = connect(file, 'write')
  checkpointWholeLog(connection)
  const damage = new SqliteDamage(file)
  const write = queries(connection, damage.of)
  await migrate(write)
  const writer = new SqliteWriter(connection, write, damage)
  const reader = connect(file, 'read')
  const read = queries(reader, damage.of)
  // A connection of their own, as `read` must never be in a transaction: it would see nothing newer.
  const snapshots = new Snapshots(connect(file, 'read'), damage.of)
  const look = new PositionLook(reader, damage.of)
  damage.watch()
  const commits = new GroupCommit(writer, onSyncError)
  return {
    damage,
    read,
    transaction: (work) => commits.run(work),
    snapshot: (work) => snapshots.run(work),
    position: () => look.now(),
    // AUTOINCREMENT goes on after the highest id that it has seen (https://www.sqlite.org/autoinc.html), and without
    // statistics, of which we keep none, SQLite plans alike for any number of rows.
    afterLoad: async () => {},
    close: async () => {
      await commits.idle()
      await snapshots.close()
      reader.close()
      // Last, as whoever is the last moves the whole log to the database file, which readers may not.
      await writer.close()
    },
  }
}
