import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Db } from '../tables.ts'
import { createDb, type TranslateError } from './queries.ts'

/**
 * Milliseconds of work after which results are delivered, once the current read is done. Reading, and rendering and
 * sending a response, are two large pieces of code that evict each other from the processor's caches.
 */
const deliveryIntervalMs = 1

/** Milliseconds after which the event loop gets a turn to send the delivered results: a response may be megabytes. */
const yieldIntervalMs = 50

interface PendingRead {
  work: (db: Db) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

/**
 * Reads by several queries that all see the same state, one read after the other, on a connection of their own. The
 * memory of a read is freed before the next one, except for its result. Reads requested in one turn of the event loop
 * share one transaction, which begins after the last of the requests: otherwise each query would lock and unlock the
 * file, which takes as long as most queries.
 */
export class SnapshotReads {
  readonly #connection: DatabaseSync
  readonly #db: Db
  readonly #begin: StatementSync
  readonly #end: StatementSync
  #pending: PendingRead[] = []
  #running: Promise<void> | undefined

  readonly #translateError: TranslateError

  constructor(connection: DatabaseSync, translateError: TranslateError) {
    this.#connection = connection
    this.#translateError = translateError
    this.#db = createDb(connection, translateError)
    this.#begin = connection.prepare('begin')
    this.#end = connection.prepare('rollback')
  }

  readonly run = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      this.#pending.push({ work, resolve: resolve as PendingRead['resolve'], reject })
      this.#running ??= this.#runPending()
    })

  async #runPending(): Promise<void> {
    // Callers that waited for the same promise as the first one are about to add theirs.
    await undefined
    while (this.#pending.length > 0) {
      const batch = this.#pending
      this.#pending = []
      await this.#runBatch(batch)
    }
    this.#running = undefined
  }

  /** Never rejects: an error is passed to the read that caused it. */
  async #runBatch(batch: PendingRead[]): Promise<void> {
    let hasSnapshot = false
    let undelivered: (() => void)[] = []
    let deliveredAt = performance.now()
    let yieldedAt = deliveredAt
    const deliver = () => {
      for (const resolve of undelivered) resolve()
      undelivered = []
      deliveredAt = performance.now()
    }
    for (const { work, resolve, reject } of batch) {
      try {
        // For the first read, and after an I/O error, which ends the transaction.
        if (!hasSnapshot || !this.#connection.isTransaction) this.#beginSnapshot()
        hasSnapshot = true
        const value = await work(this.#db)
        undelivered.push(() => resolve(value))
      } catch (error) {
        reject(this.#translateError(error))
      }
      if (performance.now() - deliveredAt < deliveryIntervalMs) continue
      deliver()
      if (deliveredAt - yieldedAt < yieldIntervalMs) continue
      await new Promise(setImmediate)
      yieldedAt = performance.now()
    }
    deliver()
    try {
      this.#endSnapshot()
    } catch {
      // All reads are settled. The next batch ends the transaction before it begins its own, or fails.
    }
  }

  #beginSnapshot(): void {
    this.#endSnapshot()
    this.#begin.run()
  }

  #endSnapshot(): void {
    if (this.#connection.isTransaction) this.#end.run()
  }

  async close(): Promise<void> {
    await this.#running
    this.#connection.close()
  }
}
