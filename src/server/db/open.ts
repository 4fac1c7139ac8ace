import type { Damage } from './damage.ts'
import { openSqlite } from './sqlite/open.ts'
import type { Db } from './tables.ts'
import type { DatabaseTarget } from './target.ts'

/** How far the change log has come. */
export interface Position {
  /**
   * Tells one history of the database from another. A server that has taken the place of one that failed may lack its
   * newest writes, and gives their ids to others: positions say something about each other only within one history.
   */
  readonly history: string
  /** The id of the newest committed change; 0 when there is none. */
  readonly id: number
}

/** An open database. */
export interface Database {
  readonly damage: Damage
  /** For reading: sees what is committed, by whichever process. */
  readonly read: Db
  /**
   * Runs `work`, which only reads, on one state of the database: of a moment after this call, whatever is committed
   * meanwhile. It may be run anew, and must not wait for another snapshot: there may be only one at a time.
   */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>
  /**
   * The same, and cheaper, but each of the queries sees what is committed when it runs, so two may see different states.
   * Absent where a snapshot costs no more.
   */
  gather?: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  /**
   * The position of the newest committed change, as of a moment after this call. Whoever asks together shares one look,
   * and gets the same promise.
   */
  position(): Promise<Position>
  /** Runs `work` in a transaction, and resolves once what it wrote is durable; see `GroupCommit.run`. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /**
   * To be called after many rows were inserted with ids of their own: new ones get higher ids than any of them, and
   * queries are planned for what is there now.
   */
  afterLoad(): Promise<void>
  /** Waits for the writes under way, then closes. */
  close(): Promise<void>
}

/**
 * Opens the database, migrated where needed.
 * @param onSyncError ends the process; see `GroupCommit`
 * @param statementMs milliseconds after which a server cuts a statement off; by itself what a request can wait for
 * @throws CannotOpen with one line for the operator
 */
export async function openDatabase(
  place: DatabaseTarget,
  onSyncError: (error: unknown) => void,
  statementMs?: number,
): Promise<Database> {
  if (place.kind === 'folder') return openSqlite(place.dir, onSyncError)
  // Loaded only where it is used: it takes megabytes.
  const { openPostgres } = await import('./postgres/open.ts')
  return openPostgres(place.url, statementMs)
}
