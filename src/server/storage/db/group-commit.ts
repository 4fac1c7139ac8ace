import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../core/failure.ts'
import type { Db, LogHead } from './tables.ts'

/** Writes that may wait for their commit; beyond that a new write is rejected at once rather than served too late. */
const maxPending = 1_000

/**
 * Milliseconds of work after which a transaction takes no more writes: the updated topic in a response may be megabytes, and
 * all responses of a transaction are in memory until its commit. A full batch of ordinary writes takes less.
 */
const maxTransactionMs = 250

/**
 * The head of the change log as the present transaction on each database sees it. No other process appends meanwhile, so
 * it is read only once for all writes that share the transaction. It is forgotten when a transaction begins, and when a
 * part of it is rolled back.
 */
const heads = new WeakMap<Db, LogHead>()

export const knownHead = (tx: Db): LogHead | undefined => heads.get(tx)

export const setHead = (tx: Db, head: LogHead): void => void heads.set(tx, head)

/** Runs the transactions of a process, one after the other. */
export interface Writer {
  /** Runs queries in the transaction. */
  readonly db: Db
  /** The maximum of writes that share one commit, which bounds how long the first of them waits. */
  readonly maxBatch: number
  /** Whether every write gets a savepoint; else they get one only after a failure, when all of them run again. */
  readonly alwaysSavepoint: boolean
  /**
   * The minimum time from the beginning of one transaction to that of the next; usually 0. Writes gather meanwhile. The
   * next transaction begins sooner if they fill it.
   */
  readonly intervalMs: number
  /**
   * Begins a transaction that sees every commit so far, including those of other processes, and blocks their writes.
   * @throws when that takes too long
   */
  begin(): Promise<void>
  /** Counts the rows that were changed so far; 0 where every write gets a savepoint. */
  countChanges(): number
  /** Sets a savepoint, which replaces the previous one. */
  savepoint(): Promise<void>
  rollbackToSavepoint(): Promise<void>
  /** Whether the transaction is still open after an error in it. */
  survives(error: unknown): boolean
  /** Resolves once everything is durable. @throws Failure OUTCOME_UNKNOWN when that cannot be determined */
  commit(): Promise<void>
  /** Ends the transaction, if it is still open, with nothing stored. */
  rollback(): Promise<void>
  /** Maintenance between two transactions. */
  checkpoint(): void
  /** Whether no later commit can be trusted, so that the process must end. */
  isFatal(error: unknown): boolean
  close(): Promise<void>
}

interface Job {
  run: (tx: Db) => Promise<void>
  settle: (error?: unknown) => void
}

/**
 * Lets writes share commits. A durable commit costs a sync, and only one process writes at a time, so writes that
 * arrive together run one after the other in one transaction, and all resolve after its commit: as durable as a commit
 * each, at a fraction of the cost.
 *
 * A write that fails is rolled back alone, which takes a savepoint before each write. Savepoints cost time, and few
 * writes fail once they have changed something. So where running twice is cheap (not `alwaysSavepoint`), writes run
 * without savepoints. If a write fails after it has changed something, all run again with savepoints, and so do the
 * following batches until one has no such failure.
 */
export class GroupCommit {
  readonly #writer: Writer
  readonly #onFatal: (error: unknown) => void
  #isBroken = false
  #hasFailures = false
  #pending: Job[] = []
  #loop: Promise<void> | undefined
  #endGathering: (() => void) | undefined
  /** When the last transaction was requested, by `performance.now()`; it may have waited for a lock after that. */
  #startedAt = Number.NEGATIVE_INFINITY

  /**
   * @param onFatal ends the process: a sync failed, or a bug showed, and whether a write is durable is unknown. From
   *   then on no write is acknowledged, and none is rejected either, because the next start may find it in the log
   */
  constructor(writer: Writer, onFatal: (error: unknown) => void) {
    this.#writer = writer
    this.#onFatal = onFatal
  }

  /**
   * Runs `work` in a transaction and resolves once it is durable. `work` must await only queries on its `tx`, because
   * all other writes wait for it, and it must await all of them: see `settleAll`. It must have no other effects,
   * because it may run twice; the first run is rolled back.
   * @throws the error of `work`, with nothing stored; `UNAVAILABLE` when too many writes are pending, or the database
   *   cannot be written to; `OUTCOME_UNKNOWN` when the connection was lost during the commit
   */
  readonly run = <T>(work: (tx: Db) => Promise<T>): Promise<T> => {
    if (this.#pending.length >= maxPending) return Promise.reject(new Failure('UNAVAILABLE'))
    return new Promise<T>((resolve, reject) => {
      let settle = (): void => reject(new Error('Write settled before it ran'))
      this.#pending.push({
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
      if (this.#pending.length >= this.#writer.maxBatch) this.#endGathering?.()
      if (!this.#isBroken) this.#loop ??= this.#commitPending()
    })
  }

  /** Resolves when no write is pending or running. */
  async idle(): Promise<void> {
    while (this.#loop) await this.#loop
  }

  async #commitPending(): Promise<void> {
    // Writes that arrive in the same turn of the event loop share a commit, also with those of the turn before whose senders
    // had to be identified.
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    try {
      while (this.#pending.length > 0) {
        const waitMs = this.#startedAt + this.#writer.intervalMs - performance.now()
        if (waitMs > 0 && this.#pending.length < this.#writer.maxBatch) await this.#gather(waitMs)
        this.#startedAt = performance.now()
        if (await this.#begin()) await this.#commitOrReject(this.#pending.splice(0, this.#writer.maxBatch))
        this.#writer.checkpoint()
        // Responses are sent before more are created.
        if (performance.now() - this.#startedAt > maxTransactionMs) await new Promise(setImmediate)
      }
    } catch (error) {
      this.#isBroken = true
      this.#onFatal(error)
    }
    this.#loop = undefined
  }

  /** Lets more writes join the next transaction, for `waitMs` or until they fill it. */
  async #gather(waitMs: number): Promise<void> {
    const { promise: full, resolve } = Promise.withResolvers<void>()
    this.#endGathering = resolve
    await Promise.race([sleep(waitMs), full])
    this.#endGathering = undefined
  }

  /** If no transaction can begin, rejects all pending writes: each has waited long enough. */
  async #begin(): Promise<boolean> {
    try {
      await this.#beginTransaction()
      return true
    } catch (error) {
      if (this.#writer.isFatal(error)) throw error
      for (const job of this.#pending.splice(0)) job.settle(error)
      return false
    }
  }

  async #beginTransaction(): Promise<void> {
    await this.#writer.begin()
    heads.delete(this.#writer.db)
  }

  /** @throws when the error is fatal, without settling any write */
  async #commitOrReject(batch: Job[]): Promise<void> {
    try {
      await this.#commit(batch)
      for (const job of batch) job.settle()
    } catch (error) {
      if (this.#writer.isFatal(error)) throw error
      await this.#writer.rollback()
      for (const job of batch) job.settle(error)
    }
  }

  async #commit(batch: Job[]): Promise<void> {
    const needsSavepoints = this.#writer.alwaysSavepoint || this.#hasFailures
    if (needsSavepoints || !(await this.#runWithoutSavepoints(batch)))
      this.#hasFailures = await this.#runWithSavepoints(batch)
    await this.#writer.commit()
  }

  /** @returns false when a write failed that had changed something; a new, empty transaction is open then */
  async #runWithoutSavepoints(batch: Job[]): Promise<boolean> {
    for (const job of this.#takeInTime(batch)) {
      const changes = this.#writer.countChanges()
      try {
        await job.run(this.#writer.db)
      } catch (error) {
        // A single write need not run again, and without a transaction all have failed.
        if (batch.length === 1 || !this.#writer.survives(error)) throw error
        if (this.#writer.countChanges() === changes) continue
        await this.#writer.rollback()
        await this.#beginTransaction()
        return false
      }
    }
    return true
  }

  /** The writes of a batch that run in one transaction. When time is up, the rest is put back for the next one. */
  *#takeInTime(batch: Job[]): Generator<Job> {
    const startedAt = performance.now()
    for (const [index, job] of batch.entries()) {
      yield job
      if (performance.now() - startedAt > maxTransactionMs) this.#pending.unshift(...batch.splice(index + 1))
    }
  }

  /** @returns whether any write failed that had changed something */
  async #runWithSavepoints(batch: Job[]): Promise<boolean> {
    let anyFailed = false
    for (const job of this.#takeInTime(batch)) {
      await this.#writer.savepoint()
      const changes = this.#writer.countChanges()
      try {
        await job.run(this.#writer.db)
      } catch (error) {
        if (!this.#writer.survives(error)) throw error
        await this.#writer.rollbackToSavepoint()
        heads.delete(this.#writer.db)
        anyFailed ||= this.#writer.countChanges() !== changes
      }
    }
    return anyFailed
  }
}
