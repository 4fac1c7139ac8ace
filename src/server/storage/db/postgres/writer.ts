import { Failure } from '../../../core/failure.ts'
import type { Writer } from '../group-commit.ts'
import type { Db } from '../tables.ts'
import type { Connection, Connections } from './connections.ts'
import { ConnectionLost } from './errors.ts'
import { createDb } from './queries.ts'

/**
 * A transaction that writes holds this advisory lock until its commit, so that of all processes one writes at a time:
 * every rule that was checked still holds at the commit, and changes become visible in the order of their positions.
 * The number is arbitrary; it is the letters of `summit`.
 */
export const writeLock = 0x73756d6d6974

/** How long a write waits for the lock, and for a server that is restarting. */
const timeoutMs = 2_000

const begin = `begin isolation level read committed; select pg_advisory_xact_lock(${writeLock}); savepoint job`

/** Writes to a database that other processes also write to, with one transaction at a time among all of them. */
export class PostgresWriter implements Writer {
  readonly db: Db
  /** A transaction with more than 64 savepoints makes every reader of its rows slower (PGPROC_MAX_CACHED_SUBXIDS). */
  readonly maxBatch = 60
  /** A failure may have taken two seconds; running again may take as long, and needs the lock once more. */
  readonly alwaysSavepoint = true
  readonly intervalMs = 0
  readonly #connections: Connections
  #connection: Connection | undefined
  #isAtSavepoint = false

  constructor(connections: Connections) {
    this.#connections = connections
    this.db = createDb((text, values) => this.#current().query(text, values))
  }

  async begin(): Promise<void> {
    const deadline = performance.now() + timeoutMs
    for (;;) {
      this.#connection = await this.#connections.take(deadline)
      try {
        await this.#connection.run(begin)
        this.#isAtSavepoint = true
        return
      } catch (error) {
        await this.rollback()
        // An idle connection may have been lost.
        if (!(error instanceof ConnectionLost) || performance.now() > deadline) throw error
      }
    }
  }

  countChanges(): number {
    return 0
  }

  async savepoint(): Promise<void> {
    if (!this.#isAtSavepoint) await this.#current().run('release savepoint job; savepoint job')
    this.#isAtSavepoint = false
  }

  async rollbackToSavepoint(): Promise<void> {
    await this.#current().run('rollback to savepoint job')
  }

  survives(): boolean {
    return this.#connection?.isLost === false
  }

  async commit(): Promise<void> {
    const connection = this.#current()
    const command = await connection.run('commit').catch((error: unknown) => {
      if (error instanceof ConnectionLost) throw new Failure('OUTCOME_UNKNOWN', { cause: error })
      throw error
    })
    // Committing a transaction in which a statement failed rolls it back.
    if (command !== 'COMMIT') throw new Error(`The transaction ended with ${command}`)
    this.#release()
  }

  async rollback(): Promise<void> {
    if (this.#connection?.isLost === false) await this.#connection.run('rollback').catch(leaveToServer)
    this.#release()
  }

  checkpoint(): void {}

  isFatal(): boolean {
    return false
  }

  async close(): Promise<void> {
    await this.#connections.close()
  }

  #current(): Connection {
    if (!this.#connection) throw new Error('No transaction is open')
    return this.#connection
  }

  #release(): void {
    this.#connection?.release()
    this.#connection = undefined
  }
}

/** The server rolls back a transaction whose connection is lost, or that is idle for too long. */
function leaveToServer(): void {}
