import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { checkpointWholeLog } from './checkpoint.ts'
import { GroupCommit } from './group-commit.ts'
import { migrate } from './migrate.ts'
import { PositionLook } from './position.ts'
import { connect, queries } from './sqlite.ts'
import type { Db } from './tables.ts'

/** An open database. */
export interface Database {
  /** For reading: sees what is committed. */
  readonly read: Db
  /** Runs `work`, which only reads, on one state of the database, whatever is committed meanwhile. */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** The position of the newest committed change as of a moment after this call; whoever asks together shares one look. */
  position(): Promise<number>
  /** Runs `work` in a transaction, and resolves once what it wrote is durable; see {@link GroupCommit.run}. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /** Waits for the writes under way, then closes. */
  close(): Promise<void>
}

/**
 * Opens the embedded database under `dataDir`, made and migrated where needed.
 * @param onSyncError see {@link GroupCommit}
 * @throws NewerSchema when a newer version of the program wrote it
 */
export async function openDatabase(dataDir: string, onSyncError: (error: unknown) => void): Promise<Database> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const file = join(dataDir, 'summit.db')
  const writer = connect(file, 'write')
  checkpointWholeLog(writer)
  const write = queries(writer)
  await migrate(write)
  const reader = connect(file, 'read')
  const read = queries(reader)
  // A connection of their own, as `read` must never be in a transaction: it would see nothing newer.
  const snapshots = queries(connect(file, 'read'))
  const look = new PositionLook(reader)
  const commits = new GroupCommit(writer, write, onSyncError)
  return {
    read,
    snapshot: (work) => snapshots.transaction().execute(work),
    position: () => look.now(),
    transaction: (work) => commits.run(work),
    close: async () => {
      await commits.idle()
      await Promise.all([read.destroy(), snapshots.destroy(), write.destroy()])
    },
  }
}
