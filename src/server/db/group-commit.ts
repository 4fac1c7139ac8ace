import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../failure.ts'
import { checkpointLongLog } from './checkpoint.ts'
import { isBusy, isSyncError } from './dialect.ts'
import type { Db } from './tables.ts'

/** Writes that may wait for their commit; beyond that a new one is refused at once rather than answered too late. */
const maxWaiting = 1_000

/** Writes that share one commit at the most, which bounds how long the first of them waits. */
const maxBatch = 200

/** How long a write waits for another process (an import) to finish its transaction. */
const busyPatienceMs = 5_000

interface Job {
  run: (tx: Db) => Promise<void>
  settle: (error?: unknown) => void
}

/**
 * Writes that share commits. SQLite has one writer and a durable commit costs an fsync, so the writes that arrive
 * together run one after the other in one transaction, each within its own savepoint, and are all answered after
 * the one commit: as durable as a commit each, at a fraction of the cost. A write that fails rolls back to its
 * savepoint and leaves the others alone.
 */
export class GroupCommit {
  readonly #connection: DatabaseSync
  readonly #db: Db
  readonly #onSyncError: (error: unknown) => void
  readonly #savepoint: StatementSync
  readonly #release: StatementSync
  #isBroken = false
  #waiting: Job[] = []
  #loop: Promise<void> | undefined

  /**
   * @param db the queries of that same connection
   * @param onSyncError ends the process: a sync has failed, and whether a write is kept is no longer known. From then on
   *   none is acknowledged, and none refused either, since what is in the log may yet be found there at the next start
   */
  constructor(connection: DatabaseSync, db: Db, onSyncError: (error: unknown) => void) {
    this.#connection = connection
    this.#db = db
    this.#onSyncError = onSyncError
    this.#savepoint = connection.prepare('savepoint job')
    this.#release = connection.prepare('release job')
  }

  /**
   * Runs `work` in a transaction and resolves once it is durable.
   * `work` must await nothing but queries on the `tx` it is given: every other write waits for it.
   * @throws what `work` throws, with nothing stored; `UNAVAILABLE` when too many writes wait already
   */
  run<T>(work: (tx: Db) => Promise<T>): Promise<T> {
    if (this.#waiting.length >= maxWaiting) return Promise.reject(new Failure('UNAVAILABLE'))
    return new Promise<T>((resolve, reject) => {
      let settle = (): void => reject(new Error('a write was settled before it ran'))
      this.#waiting.push({
        run: async (tx) => {
          try {
            const value = await work(tx)
            settle = () => resolve(value)
          } catch (error) {
            settle = () => reject(error)
            throw error
          }
        },
        settle: (error) => (error === undefined ? settle() : reject(error)),
      })
      if (!this.#isBroken) this.#loop ??= this.#commitAll()
    })
  }

  /** Resolves when no write is waiting or under way. */
  async idle(): Promise<void> {
    while (this.#loop) await this.#loop
  }

  async #commitAll(): Promise<void> {
    // One turn of the event loop lets the writes that arrived together join the same commit.
    await new Promise(setImmediate)
    try {
      while (this.#waiting.length > 0) {
        await this.#commitOrRefuse(this.#waiting.splice(0, maxBatch))
        checkpointLongLog(this.#connection)
      }
    } catch (error) {
      this.#isBroken = true
      this.#onSyncError(error)
    }
    this.#loop = undefined
  }

  /** @throws when a sync failed, without settling any of them */
  async #commitOrRefuse(batch: Job[]): Promise<void> {
    try {
      await this.#commit(batch)
      for (const job of batch) job.settle()
    } catch (error) {
      if (isSyncError(error)) throw error
      if (this.#connection.isTransaction) this.#connection.exec('rollback')
      for (const job of batch) job.settle(error)
    }
  }

  async #commit(batch: Job[]): Promise<void> {
    await this.#begin()
    for (const job of batch) {
      this.#savepoint.run()
      try {
        await job.run(this.#db)
      } catch (error) {
        // A full disk or an I/O error ends the whole transaction, and with it every write of the batch.
        if (!this.#connection.isTransaction || isSyncError(error)) throw error
        this.#connection.exec('rollback to job')
      }
      this.#release.run()
    }
    this.#connection.exec('commit')
  }

  async #begin(): Promise<void> {
    const deadline = performance.now() + busyPatienceMs
    for (;;) {
      try {
        this.#connection.exec('begin immediate')
        return
      } catch (error) {
        if (!isBusy(error)) throw error
        if (performance.now() > deadline) throw new Failure('UNAVAILABLE', { cause: error })
        await sleep(5)
      }
    }
  }
}
