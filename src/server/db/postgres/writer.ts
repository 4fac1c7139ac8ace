import { Failure } from '../../core/failure.ts'
import type { Writer } from '../group-commit.ts'
import type { Db } from '../tables.ts'
import type { Connection, Connections } from './connections.ts'
import { ConnectionLost } from './errors.ts'
import { queries } from './queries.ts'

/**
 * Whoever writes holds this lock until its commit, so that of all processes one writes at a time: every rule that was
 * checked still holds at the commit, and the positions of changes become visible in their order. Any number will do
 * that nobody else uses; these are the letters of `summit`.
 */
export const writeLock = 0x73756d6d6974

/** How long a write waits for its turn among all processes, and for a server that is just restarting. */
const timeoutMs = 2_000

const begin = `begin isolation level read committed; select pg_advisory_xact_lock(${writeLock}); savepoint job`

/** Transactions of a database that other processes write to, too: one at a time among all of them. */
export class PostgresWriter implements Writer {
  readonly db: Db
  /** A transaction with more than 64 savepoints makes every reader of its rows slower (PGPROC_MAX_CACHED_SUBXIDS). */
  readonly maxBatch = 60
  /** A failure may have taken its two seconds, and to run again may take the same and another turn at the lock. */
  readonly alwaysSavepoint = true
  readonly #connections: Connections
  #connection: Connection | undefined
  #isMarked = false

  constructor(connections: Connections) {
    this.#connections = connections
    this.db = queries((text, values) => this.#open().query(text, values))
  }

  async begin(): Promise<void> {
    const deadline = performance.now() + timeoutMs
    for (;;) {
      this.#connection = await this.#connections.take(deadline)
      try {
        await this.#connection.run(begin)
        this.#isMarked = true
        return
      } catch (error) {
        await this.rollback()
        // A connection that was idle may turn out to be lost.
        if (!(error instanceof ConnectionLost) || performance.now() > deadline) throw error
      }
    }
  }

  async mark(): Promise<void> {
    if (!this.#isMarked) await this.#open().run('release savepoint job; savepoint job')
    this.#isMarked = false
  }

  async undo(): Promise<void> {
    await this.#open().run('rollback to savepoint job')
  }

  survives(): boolean {
    return this.#connection?.isLost === false
  }

  async commit(): Promise<void> {
    const connection = this.#open()
    const done = await connection.run('commit').catch((error: unknown) => {
      if (error instanceof ConnectionLost) throw new Failure('OUTCOME_UNKNOWN', { cause: error })
      throw error
    })
    // The answer to the commit of a transaction in which a statement failed.
    if (done !== 'COMMIT') throw new Error(`the transaction ended with ${done}`)
    this.#giveBack()
  }

  async rollback(): Promise<void> {
    if (this.#connection?.isLost === false) await this.#connection.run('rollback').catch(leaveToServer)
    this.#giveBack()
  }

  tidy(): void {}

  isFatal(): boolean {
    return false
  }

  async close(): Promise<void> {
    await this.#connections.close()
  }

  #open(): Connection {
    if (!this.#connection) throw new Error('there is no transaction')
    return this.#connection
  }

  #giveBack(): void {
    this.#connection?.release()
    this.#connection = undefined
  }
}

/** A transaction whose connection is lost, or that is idle for too long, is rolled back by the server. */
function leaveToServer(): void {}
