import { throwUncaught } from '../../core/errors.ts'
import type { Damage } from './damage.ts'
import { createSchema, migrate } from './migrate.ts'
import { openSqlite } from './sqlite/open.ts'
import type { Db } from './tables.ts'
import type { DatabaseTarget } from './target.ts'

/** The end of the change log at some moment. */
export interface Position {
  /**
   * Identifies one continuous history of the log. A server that was promoted after a failover may lack the newest
   * writes and reuse their ids, so positions can be compared only within an epoch.
   */
  readonly epoch: string
  /** The id of the newest committed change; 0 when there is none. */
  readonly id: number
}

/** An open database. */
export interface Database {
  readonly damage: Damage
  /** For reading: sees what any process has committed. */
  readonly read: Db
  /**
   * Runs `work`, which only reads, on one state of the database, as of a moment after this call, regardless of later
   * commits. `work` may be run again. It must not wait for another snapshot: there may be only one at a time.
   */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>
  /**
   * Like `snapshot`, and cheaper, but each query sees what is committed when it runs, so two queries may see different
   * states. Absent where a snapshot costs no more.
   */
  readCommitted?: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  /**
   * The position of the newest committed change, as of a moment after this call. Concurrent callers share one query,
   * and get the same promise.
   */
  position(): Promise<Position>
  /** Runs `work` in a transaction, and resolves once its writes are durable; see `GroupCommit.run`. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /**
   * Call it after inserting many rows with explicit ids: new rows then get higher ids than any of them, and queries are
   * planned for the present number of rows.
   */
  afterLoad(): Promise<void>
  /**
   * Removes what is left of deleted values in the files of an embedded database; writes wait meanwhile. Nothing of the
   * kind is done on a server: see docs/operate/storage.md.
   * @throws when others have used the database for too long
   */
  scrub(): Promise<void>
  /** Whether `scrub` leaves nothing: it does not rebuild large files, nor those of a server. */
  isRebuilt(): Promise<boolean>
  /** Waits for pending writes, then closes. */
  close(): Promise<void>
}

/**
 * Opens the database, and creates its tables if it is empty. It is not migrated: an older server may be running on it.
 * @param onSyncError ends the process; see `GroupCommit`
 * @param statementMs milliseconds after which a server cancels a statement; by default the time a request can wait for
 * @throws CannotOpen with one line for the operator; OlderSchema
 */
export const openDatabase = (
  target: DatabaseTarget,
  onSyncError: (error: unknown) => void,
  statementMs?: number,
): Promise<Database> => open(target, onSyncError, createSchema, statementMs)

/** Opens a database of any schema. @throws CannotOpen with one line for the operator */
export const openUnmigratedDatabase = (target: DatabaseTarget): Promise<Database> =>
  open(target, throwUncaught, async () => {})

/** Migrates the database to this version. @throws CannotOpen with one line for the operator; MigrationFailed */
export async function migrateDatabase(target: DatabaseTarget): Promise<void> {
  const database = await open(target, throwUncaught, migrate)
  await database.close()
}

async function open(
  target: DatabaseTarget,
  onSyncError: (error: unknown) => void,
  prepareSchema: (db: Db) => Promise<void>,
  statementMs?: number,
): Promise<Database> {
  if (target.kind === 'folder') return openSqlite(target.dir, onSyncError, prepareSchema)
  // Loaded on demand: it takes megabytes.
  const { openPostgres } = await import('./postgres/open.ts')
  return openPostgres(target.url, prepareSchema, statementMs)
}
