import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Db } from '../tables.ts'
import { queries } from './connection.ts'

/** Reads by several queries that all see the same, one after the other on a connection of their own. */
export class Snapshots {
  readonly #connection: DatabaseSync
  readonly #db: Db
  readonly #begin: StatementSync
  readonly #end: StatementSync
  #last: Promise<unknown> = Promise.resolve()

  constructor(connection: DatabaseSync) {
    this.#connection = connection
    this.#db = queries(connection)
    this.#begin = connection.prepare('begin')
    this.#end = connection.prepare('rollback')
  }

  run<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const result = this.#last.then(() => this.#run(work))
    this.#last = result.catch(() => {})
    return result
  }

  async #run<T>(work: (db: Db) => Promise<T>): Promise<T> {
    this.#begin.run()
    try {
      return await work(this.#db)
    } finally {
      // An I/O error has ended it already.
      if (this.#connection.isTransaction) this.#end.run()
    }
  }

  async close(): Promise<void> {
    await this.#last
    this.#connection.close()
  }
}
