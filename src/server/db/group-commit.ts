import { Failure } from '../core/failure.ts'
import type { Db } from './tables.ts'

/** Writes that may wait for their commit; beyond that a new one is refused at once rather than answered too late. */
const maxWaiting = 1_000

/**
 * Milliseconds of work after which a transaction takes no more writes: the answer to a like may be megabytes, and all of
 * a transaction's answers are in memory until its commit. As many ordinary writes as may share one take less.
 */
const longMs = 250

/** The one place of a process where transactions take place, one after the other. */
export interface Writer {
  /** The queries of the transaction. */
  readonly db: Db
  /** Writes that share one commit at the most, which bounds how long the first of them waits. */
  readonly maxBatch: number
  /** Whether every write is marked; else they are only once one has failed, and then all of them run again. */
  readonly alwaysSavepoint: boolean
  /**
   * Begins a transaction that sees every commit there is, in other processes too, and keeps theirs waiting.
   * @throws when it cannot, after some patience
   */
  begin(): Promise<void>
  /** What follows can be undone by itself; what came before stays. */
  mark(): Promise<void>
  /** Undoes what followed the latest mark. */
  undo(): Promise<void>
  /** Whether the transaction is still there after an error in it. */
  survives(error: unknown): boolean
  /** Resolves once everything is durable. @throws Failure OUTCOME_UNKNOWN when nobody can say whether it is */
  commit(): Promise<void>
  /** Leaves the transaction, whatever became of it, with nothing stored. */
  rollback(): Promise<void>
  /** What is to be done between two transactions. */
  tidy(): void
  /** Whether no later commit can be trusted, so that the process has to end. */
  isFatal(error: unknown): boolean
  close(): Promise<void>
}

interface Job {
  run: (tx: Db) => Promise<void>
  settle: (error?: unknown) => void
}

/**
 * Writes that share commits. A durable commit costs a sync, and only one process writes at a time, so the writes that
 * arrive together run one after the other in one transaction, and are all answered after the one commit: as durable as a
 * commit each, at a fraction of the cost.
 *
 * A write that fails is undone by itself and leaves the others alone. For that the engine has to be told where each of
 * them begins (`mark`). That costs, and hardly any fails. So where to run twice costs little (`alwaysSavepoint`) they run
 * without marks, and when one of them fails, all run again with marks, as do the next until none has failed.
 */
export class GroupCommit {
  readonly #writer: Writer
  readonly #onFatal: (error: unknown) => void
  #isBroken = false
  #hasFailures = false
  #waiting: Job[] = []
  #loop: Promise<void> | undefined

  /**
   * @param onFatal ends the process: a sync has failed, or what never should, and whether a write is kept is no longer
   *   known. From then on none is acknowledged, and none refused either, since what is in the log may yet be found there
   *   at the next start
   */
  constructor(writer: Writer, onFatal: (error: unknown) => void) {
    this.#writer = writer
    this.#onFatal = onFatal
  }

  /**
   * Runs `work` in a transaction and resolves once it is durable.
   * `work` must await nothing but queries on the `tx` it is given, as every other write waits for it, and all of those:
   * see `together`. It must change nothing else, as it may run twice, of which the first is as if it had never been.
   * @throws what `work` throws, with nothing stored; `UNAVAILABLE` when too many writes wait already, or the database
   *   cannot be written to; `OUTCOME_UNKNOWN` when it was lost in the middle of the commit
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
        const since = performance.now()
        if (await this.#begin()) await this.#commitOrRefuse(this.#waiting.splice(0, this.#writer.maxBatch))
        this.#writer.tidy()
        // What is answered leaves before more is made.
        if (performance.now() - since > longMs) await new Promise(setImmediate)
      }
    } catch (error) {
      this.#isBroken = true
      this.#onFatal(error)
    }
    this.#loop = undefined
  }

  /** Where not even a transaction begins, nobody is left to wait for the next attempt: each has waited long enough. */
  async #begin(): Promise<boolean> {
    try {
      await this.#writer.begin()
      return true
    } catch (error) {
      if (this.#writer.isFatal(error)) throw error
      for (const job of this.#waiting.splice(0)) job.settle(error)
      return false
    }
  }

  /** @throws when the error is fatal, without settling any of them */
  async #commitOrRefuse(batch: Job[]): Promise<void> {
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
    const marks = this.#writer.alwaysSavepoint || this.#hasFailures
    if (marks || !(await this.#runUnmarked(batch))) this.#hasFailures = await this.#runMarked(batch)
    await this.#writer.commit()
  }

  /** @returns false when one has failed; a transaction in which nothing has happened is open then */
  async #runUnmarked(batch: Job[]): Promise<boolean> {
    try {
      for (const job of this.#inTime(batch)) await job.run(this.#writer.db)
      return true
    } catch (error) {
      // The only one leaves nothing to others, and without a transaction all have failed.
      if (batch.length === 1 || !this.#writer.survives(error)) throw error
    }
    await this.#writer.rollback()
    await this.#writer.begin()
    return false
  }

  /** Those of a batch that are to run in one transaction; once it has taken long, the others wait for the next. */
  *#inTime(batch: Job[]): Generator<Job> {
    const since = performance.now()
    for (const [nth, job] of batch.entries()) {
      yield job
      if (performance.now() - since > longMs) this.#waiting.unshift(...batch.splice(nth + 1))
    }
  }

  /** @returns whether any of them failed */
  async #runMarked(batch: Job[]): Promise<boolean> {
    let anyFailed = false
    for (const job of this.#inTime(batch)) {
      await this.#writer.mark()
      try {
        await job.run(this.#writer.db)
      } catch (error) {
        if (!this.#writer.survives(error)) throw error
        await this.#writer.undo()
        anyFailed = true
      }
    }
    return anyFailed
  }
}
