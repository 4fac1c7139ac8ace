import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../core/failure.ts'
import { DatabaseDamaged } from '../damage.ts'
import type { Writer } from '../group-commit.ts'
import type { Db } from '../tables.ts'
import { checkpointLongLog } from './checkpoint.ts'
import type { SqliteDamage } from './damage.ts'
import { isBusy, isSyncError } from './errors.ts'

/** How long a write waits for another process (an import) to finish its transaction. */
const busyTimeoutMs = 5_000

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
  #hasSavepoint = false

  readonly #damage: SqliteDamage

  /** @param db runs queries on the same connection */
  constructor(connection: DatabaseSync, db: Db, damage: SqliteDamage) {
    this.#connection = connection
    this.#damage = damage
    this.db = db
    this.#savepoint = connection.prepare('savepoint job')
    this.#release = connection.prepare('release job')
    this.#totalChanges = connection.prepare('select total_changes() as changes')
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
    return Number(this.#totalChanges.get()?.changes)
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

  checkpoint(): void {
    checkpointLongLog(this.#connection, this.#damage.translate)
  }

  isFatal(error: unknown): boolean {
    return isSyncError(error)
  }

  async close(): Promise<void> {
    this.#connection.close()
  }
}
