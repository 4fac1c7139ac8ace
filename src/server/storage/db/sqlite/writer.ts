import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../../core/failure.ts'
import { DatabaseDamaged } from '../damage.ts'
import type { Writer } from '../group-commit.ts'
import type { Db } from '../tables.ts'
import { checkpointLog } from './checkpoint.ts'
import type { SqliteDamage } from './damage.ts'
import { isBusy, isSyncError } from './errors.ts'

/** How long a write waits for another process (an import) to finish its transaction. */
const busyTimeoutMs = 5_000

/**
 * The number of pages in the log from which it is checkpointed, while all writes wait. SQLite's default of a thousand
 * pages takes 4 to 6 ms, and then the p99 of writes is four times their p50. With 250, more pages are written twice, and
 * a comment takes 6 % more processor time (decision 47).
 */
const minPages = 500

/**
 * The longest interval between transactions that is enforced, while a reader such as a backup retains pages in the log,
 * which then cannot be emptied. A tenth of a second is not felt, and 20 writes that share a commit log as much as 3 that
 * do not (decision 47).
 */
const maxIntervalMs = 100

/** Retained pages for each millisecond of the interval, which is longest from 5,000 pages on, or 20 MB. */
const pagesPerIntervalMs = 50

/** Writes to a database file, with one transaction at a time among all processes. */
export class SqliteWriter implements Writer {
  readonly db: Db
  readonly maxBatch = 200
  /**
   * SQLite copies each page that changes after a savepoint, which is a twelfth of the time that creating a topic
   * takes.
   */
  readonly alwaysSavepoint = false
  readonly #connection: DatabaseSync
  readonly #savepoint: StatementSync
  readonly #release: StatementSync
  readonly #totalChanges: StatementSync
  readonly #countLog: StatementSync
  #hasSavepoint = false
  /** How many pages of the log a reader retains. */
  #retained = 0

  readonly #damage: SqliteDamage

  /** @param db runs queries on the same connection */
  constructor(connection: DatabaseSync, db: Db, damage: SqliteDamage) {
    this.#connection = connection
    this.#damage = damage
    this.db = db
    this.#savepoint = connection.prepare('savepoint job')
    this.#release = connection.prepare('release job')
    this.#totalChanges = connection.prepare('select total_changes()')
    // Runs for every write; a row as an object takes three times as long.
    this.#totalChanges.setReturnArrays(true)
    // `noop` only counts the pages; before SQLite 3.51 it means `passive`, which also works but takes longer.
    this.#countLog = connection.prepare('pragma wal_checkpoint(noop)')
  }

  get intervalMs(): number {
    return Math.min(Math.floor(this.#retained / pagesPerIntervalMs), maxIntervalMs)
  }

  async begin(): Promise<void> {
    if (this.#damage.found) throw this.#damage.found
    this.#hasSavepoint = false
    const deadline = performance.now() + busyTimeoutMs
    for (;;) {
      try {
        this.#connection.exec('begin immediate')
        return
      } catch (error) {
        if (!isBusy(error)) throw this.#damage.translate(error)
        if (performance.now() > deadline) throw new Failure('UNAVAILABLE', { cause: error })
        await sleep(5)
      }
    }
  }

  countChanges(): number {
    const [changes] = this.#totalChanges.get() as unknown as [number]
    return changes
  }

  async savepoint(): Promise<void> {
    if (this.#hasSavepoint) this.#release.run()
    this.#savepoint.run()
    this.#hasSavepoint = true
  }

  async rollbackToSavepoint(): Promise<void> {
    this.#connection.exec('rollback to job')
  }

  /** A full disk or an I/O error ends the whole transaction, and with it every write of the batch. */
  survives(error: unknown): boolean {
    return this.#connection.isTransaction && !isSyncError(error) && !(error instanceof DatabaseDamaged)
  }

  async commit(): Promise<void> {
    try {
      this.#connection.exec('commit')
    } catch (error) {
      throw this.#damage.translate(error)
    }
    // SQLite also commits to a file that has been removed. Checked after the commit, so that a write is acknowledged
    // only if the file was in place then. Otherwise it is unknown whether a restart will find the write.
    const damaged = this.#damage.check()
    if (damaged) throw new Failure('OUTCOME_UNKNOWN', { cause: damaged })
  }

  async rollback(): Promise<void> {
    if (this.#connection.isTransaction) this.#connection.exec('rollback')
  }

  /** Any error other than a failed sync, such as a full disk, is harmless: the log is intact, and the next one retries. */
  checkpoint(): void {
    try {
      const isLong = Number(this.#countLog.get()?.log) >= minPages
      this.#retained = isLong ? checkpointLog(this.#connection) : 0
    } catch (error) {
      if (isSyncError(error)) throw error
      this.#damage.translate(error)
    }
  }

  isFatal(error: unknown): boolean {
    return isSyncError(error)
  }

  async close(): Promise<void> {
    this.#connection.close()
  }
}
