import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Db } from '../tables.ts'
import { queries } from './connection.ts'

/**
 * Milliseconds of work after which what has been read is handed out, once the read under way is done: reading, and making
 * and sending an answer of it, are two large pieces of code that push each other out of the processor's caches.
 */
const handsOutEveryMs = 1

/** Milliseconds after which what has been handed out is to leave, before more is read: a page may be megabytes. */
const restsEveryMs = 50

interface Asked {
  work: (db: Db) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

/**
 * Reads by several queries that all see the same, one work after the other on a connection of their own: but for its
 * result, what a work has read is dropped before the next reads. Those who ask in one turn of the event loop share one
 * state, which begins after the last of them asked: by itself, each query would lock and unlock the file, which takes as
 * long as most queries.
 */
export class Snapshots {
  readonly #connection: DatabaseSync
  readonly #db: Db
  readonly #begin: StatementSync
  readonly #end: StatementSync
  #waiting: Asked[] = []
  #working: Promise<void> | undefined

  readonly #asThrown: (error: unknown) => unknown

  /** @param asThrown see {@link SqliteDamage.of} */
  constructor(connection: DatabaseSync, asThrown: (error: unknown) => unknown) {
    this.#connection = connection
    this.#asThrown = asThrown
    this.#db = queries(connection, asThrown)
    this.#begin = connection.prepare('begin')
    this.#end = connection.prepare('rollback')
  }

  run<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as Asked['resolve'], reject })
      this.#working ??= this.#workOff()
    })
  }

  async #workOff(): Promise<void> {
    // Whoever has waited for the same as the first is about to ask.
    await undefined
    while (this.#waiting.length > 0) {
      const together = this.#waiting
      this.#waiting = []
      await this.#answer(together)
    }
    this.#working = undefined
  }

  /** Never fails: what goes wrong is told to those whom it concerns. */
  async #answer(together: Asked[]): Promise<void> {
    let hasState = false
    let read: (() => void)[] = []
    let since = performance.now()
    let rested = since
    const handOut = () => {
      for (const resolve of read) resolve()
      read = []
      since = performance.now()
    }
    for (const { work, resolve, reject } of together) {
      try {
        // The first begins it, and whoever comes after an I/O error, which has ended it.
        if (!hasState || !this.#connection.isTransaction) this.#beginState()
        hasState = true
        const value = await work(this.#db)
        read.push(() => resolve(value))
      } catch (error) {
        reject(this.#asThrown(error))
      }
      if (performance.now() - since < handsOutEveryMs) continue
      handOut()
      if (since - rested < restsEveryMs) continue
      await new Promise(setImmediate)
      rested = performance.now()
    }
    handOut()
    try {
      this.#endState()
    } catch {
      // All are answered. Who asks next does not get this state, but has it ended or fails.
    }
  }

  #beginState(): void {
    this.#endState()
    this.#begin.run()
  }

  #endState(): void {
    if (this.#connection.isTransaction) this.#end.run()
  }

  async close(): Promise<void> {
    await this.#working
    this.#connection.close()
  }
}
