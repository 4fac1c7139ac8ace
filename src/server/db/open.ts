import type { Damage } from './damage.ts'
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
  /** Waits for pending writes, then closes. */
  close(): Promise<void>
}

/**
 * Opens the database, and migrates it if needed.
 * @param onSyncError ends the process; see `GroupCommit`
 * @param statementMs milliseconds after which a server cancels a statement; by default the time a request can wait for
 * @throws CannotOpen with one line for the operator
 */
export async function openDatabase(
  target: DatabaseTarget,
  onSyncError: (error: unknown) => void,
  statementMs?: number,
): Promise<Database> {
  if (target.kind === 'folder') return openSqlite(target.dir, onSyncError)
  // Loaded on demand: it takes megabytes.
  const { openPostgres } = await import('./postgres/open.ts')
  return openPostgres(target.url, statementMs)
}
