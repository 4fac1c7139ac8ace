import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { GroupCommit } from '../group-commit.ts'
import { migrate } from '../migrate.ts'
import type { Database } from '../open.ts'
import { newestPosition } from '../position.ts'
import { checkpointWholeLog } from './checkpoint.ts'
import { connect, queries } from './connection.ts'
import { SqliteWriter } from './writer.ts'

/**
 * Opens the embedded database under `dir`, made and migrated where needed.
 * @param onSyncError see {@link GroupCommit}
 * @throws NewerSchema
 */
export async function openSqlite(dir: string, onSyncError: (error: unknown) => void): Promise<Database> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const file = join(dir, 'summit.db')
  const connection = connect(file, 'write')
  checkpointWholeLog(connection)
  const write = queries(connection)
  await migrate(write)
  const writer = new SqliteWriter(connection, write)
  const read = queries(connect(file, 'read'))
  const commits = new GroupCommit(writer, onSyncError)
  return {
    read,
    transaction: (work) => commits.run(work),
    position: () => newestPosition(read),
    // AUTOINCREMENT goes on after the highest id that it has seen (https://www.sqlite.org/autoinc.html).
    continueIds: async () => {},
    close: async () => {
      await commits.idle()
      await Promise.all([read.destroy(), writer.close()])
    },
  }
}
