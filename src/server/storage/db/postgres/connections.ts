import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Position } from '../open.ts'
import { singleRow } from '../prepared.ts'
import type { Db } from '../tables.ts'
import type { CurrentServer } from './current-server.ts'
import { ConnectionLost, endsConnection, isReadOnly } from './errors.ts'
import { createDb } from './queries.ts'

/**
 * How long a request waits for a connection while the server is unreachable or all connections are in use. An attempt to
 * connect that begins at its end may take as long again.
 */
const timeoutMs = 2_000

/** The server cancels a statement of a request after this time. */
export const requestStatementMs = 2_000

/** How much later we give up a statement when the server does not cancel it, because it is frozen or unreachable. */
const hungMs = 500

/**
 * The server closes a session that leaves a transaction open for longer, so that a frozen process does not block
 * others.
 */
const idleInTransactionMs = 5_000

/** The pause between two attempts to connect. */
const retryMs = 50

/** Types parsed as numbers: 64-bit integers and sums of them. Ours stay below 2^53. */
const numberTypes = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC])
const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) => (numberTypes.has(id) ? Number : pg.types.getTypeParser(id, format)),
}

/** The configuration that all connections have in common. */
export const connectionConfig = (url: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: 'summit',
  connectionTimeoutMillis: timeoutMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  types,
})

/** A connection checked out of the pool; {@link release} it after use. */
export class Connection {
  /** See `Position`. */
  readonly epoch: string
  readonly #client: pg.PoolClient
  #isLost = false
  #isReadOnly = false

  get isLost(): boolean {
    return this.#isLost
  }

  constructor(client: pg.PoolClient, epoch: string) {
    this.#client = client
    this.epoch = epoch
  }

  /** Runs one prepared statement. @throws ConnectionLost, or the error that the server reports */
  query(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    const name = statementName(text)
    return this.#attempt(this.#client.query({ ...(name !== undefined && { name }), text, values: [...values] }))
  }

  /**
   * Runs statements without parameters in one round trip.
   * @returns the command tag of the last one, such as `COMMIT`
   */
  async run(statements: string): Promise<string | undefined> {
    const results: pg.QueryResult | pg.QueryResult[] = await this.#attempt(this.#client.query(statements))
    return (Array.isArray(results) ? results.at(-1) : results)?.command
  }

  async #attempt<T>(result: Promise<T>): Promise<T> {
    try {
      return await result
    } catch (error) {
      this.#isReadOnly ||= isReadOnly(error)
      if (!endsConnection(error)) throw error
      this.#isLost = true
      throw new ConnectionLost('The connection to the database was lost', { cause: error })
    }
  }

  /** Returns it to the pool, or closes it if it is lost or read-only: a new one may accept writes. */
  release(): void {
    this.#client.release(this.#isLost || this.#isReadOnly)
  }
}

interface ConnectionsOptions {
  /** Shared by all connections to one database. */
  server: CurrentServer
  max: number
  /** Milliseconds after which the server cancels a statement. */
  statementMs?: number | undefined
}

/** A pool of connections to one database. */
export class Connections {
  readonly #pool: pg.Pool
  readonly #server: CurrentServer

  constructor(url: string, { server, max, statementMs = requestStatementMs }: ConnectionsOptions) {
    this.#server = server
    this.#pool = new pg.Pool({
      ...connectionConfig(url),
      max,
      // Queries that do not wait for each other share a round trip.
      pipeline: true,
      statement_timeout: statementMs,
      lock_timeout: statementMs,
      idle_in_transaction_session_timeout: idleInTransactionMs,
      query_timeout: statementMs + hungMs,
      onConnect: (client) => server.initialize(client),
    })
    // A connection that ends is not an error here: its user gets one from the next query, and others get a new
    // connection.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => client.on('error', () => {}))
  }

  /** Checks out a connection. Waits for a server that is restarting or being replaced. @throws ConnectionLost */
  async take(deadline = performance.now() + timeoutMs): Promise<Connection> {
    for (;;) {
      try {
        const client = await this.#pool.connect()
        const epoch = this.#server.epochOf(client)
        if (epoch !== undefined) return new Connection(client, epoch)
        client.release(true)
        if (performance.now() < deadline) continue
        throw new Error('The address alternates between two servers')
      } catch (error) {
        if (performance.now() + retryMs > deadline)
          throw new ConnectionLost('The database cannot be reached', { cause: error })
      }
      await sleep(retryMs)
    }
  }

  /** Reads by one statement; retries on another connection if the first one is lost. @throws ConnectionLost */
  read(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    return this.withConnection((connection) => connection.query(text, values))
  }

  /** Reads by several statements on one connection. `work` may be run again. @throws ConnectionLost */
  readCommitted<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.withConnection((connection) => work(dbOf(connection)))
  }

  /** Reads by several statements that all see the same state. `work` may be run again. @throws ConnectionLost */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.withConnection(async (connection) => {
      // Not awaited: it shares a round trip with the first query.
      const began = connection.run('begin isolation level repeatable read, read only')
      began.catch(() => {})
      try {
        const result = await work(dbOf(connection))
        await began
        return result
      } finally {
        // Not awaited: the next user of the connection gets its results after it. If it fails, so do the queries that
        // follow.
        if (!connection.isLost) connection.run('rollback').catch(() => {})
      }
    })
  }

  /**
   * Runs `work`, which only reads, on a connection, and again on another one if that is lost.
   * @throws ConnectionLost
   */
  async withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const deadline = performance.now() + timeoutMs
    for (;;) {
      const connection = await this.take(deadline)
      try {
        return await work(connection)
      } catch (error) {
        if (!(error instanceof ConnectionLost) || performance.now() > deadline) throw error
      } finally {
        connection.release()
      }
    }
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }
}

const dbOf = (connection: Connection): Db => createDb((text, values) => connection.query(text, values))

/** The position of the newest committed change. */
export async function readPosition(connection: Connection): Promise<Position> {
  const { rows } = await connection.query('select max(id) as id from change', [])
  return { epoch: connection.epoch, id: singleRow(rows).id ?? 0 }
}

/** Distinct prepared statements on each connection; the whole program has fewer. */
const maxNames = 256

const names = new Map<string, string>()

/**
 * The name of the prepared statement with this text: a point read that is not parsed and planned again costs half.
 * Beyond the limit there is none, and the statement is prepared for a single use.
 */
function statementName(text: string): string | undefined {
  const existing = names.get(text)
  if (existing !== undefined || names.size >= maxNames) return existing
  const name = `summit_${names.size}`
  names.set(text, name)
  return name
}
