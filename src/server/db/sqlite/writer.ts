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
const busyPatienceMs = 5_000

/** Transactions of a database file, of which there is only one at a time among all processes. */
export class SqliteWriter implements Writer {
  readonly db: Db
  readonly maxBatch = 200
  /** SQLite copies each page that changes after a mark: a twelfth of what a topic takes. */
  readonly alwaysSavepoint = false
  readonly #connection: DatabaseSync
  readonly #savepoint: StatementSync
  readonly #release: StatementSync
  #isMarked = false

  readonly #damage: SqliteDamage

  /** @param db the queries of that same connection */
  constructor(connection: DatabaseSync, db: Db, damage: SqliteDamage) {
    this.#connection = connection
    this.#damage = damage
    this.db = db
    this.#savepoint = connection.prepare('savepoint job')
    this.#release = connection.prepare('release job')
  }

  async begin(): Promise<void> {
    if (this.#damage.found) throw this.#damage.found
    this.#isMarked = false
    const deadline = performance.now() + busyPatienceMs
    for (;;) {
      try {
        this.#connection.exec('begin immediate')
        return
      } catch (error) {
        if (!isBusy(error)) throw this.#damage.of(error)
        if (performance.now() > deadline) throw new Failure('UNAVAILABLE', { cause: error })
        await sleep(5)
      }
    }
  }

  async mark(): Promise<void> {
    if (this.#isMarked) this.#release.run()
    this.#savepoint.run()
    this.#isMarked = true
  }

  async undo(): Promise<void> {
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
      throw this.#damage.of(error)
    }
    // SQLite commits into a file that has been removed as well. Looked at after the commit, so that nothing is
    // acknowledged that was not in the file then; whether a restart finds it nobody knows.
    const damaged = this.#damage.look()
    if (damaged) throw new Failure('OUTCOME_UNKNOWN', { cause: damaged })
  }

  async rollback(): Promise<void> {
    if (this.#connection.isTransaction) this.#connection.exec('rollback')
  }

  tidy(): void {
    checkpointLongLog(this.#connection, this.#damage.of)
  }

  isFatal(error: unknown): boolean {
    return isSyncError(error)
  }

  async close(): Promise<void> {
    this.#connection.close()
  }
}
