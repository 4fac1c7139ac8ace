import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Db } from '../tables.ts'
import type { CurrentServer } from './current-server.ts'
import { ConnectionLost, endsConnection, isReadOnly } from './errors.ts'
import { queries } from './queries.ts'
import { nameOf } from './statement-names.ts'

/**
 * How long a request waits for a connection while the server is away or all connections are taken. With a statement
 * that then hangs it stays below the five seconds within which every request is answered.
 */
const timeoutMs = 2_000

/** A statement of a request that takes longer is cut off by the server, */
const requestMs = 2_000
/** and by us so much later if not even that arrives: the server is frozen, or the network gone. */
const hungMs = 500

/** Whoever leaves a transaction open for longer is cut off, so that a frozen process does not stop the others for ever. */
const idleInTransactionMs = 5_000

/** Rest between two attempts to connect. */
const restMs = 50

/** Turns 64-bit integers and sums of them into numbers: ours stay below 2^53. */
const numberTypes = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC])
const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) => (numberTypes.has(id) ? Number : pg.types.getTypeParser(id, format)),
}

/** What every connection has, whatever it is used for. */
export const basics = (url: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: 'summit',
  connectionTimeoutMillis: timeoutMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  types,
})

/** One connection, taken for a while; {@link release} it. */
export class Connection {
  /** See `Position`. */
  readonly history: string
  readonly #client: pg.PoolClient
  #isLost = false
  #isReadOnly = false

  get isLost(): boolean {
    return this.#isLost
  }

  constructor(client: pg.PoolClient, history: string) {
    this.#client = client
    this.history = history
  }

  /** Runs one statement, kept prepared. @throws ConnectionLost, or what the server reports */
  query(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    const name = nameOf(text)
    return this.#attempt(this.#client.query({ ...(name !== undefined && { name }), text, values: [...values] }))
  }

  /** Runs statements without parameters in one round trip. @returns what the last one did, such as `COMMIT` */
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

  /** Gives it back. One that is lost is closed; and one that takes no writes, as the next one may. */
  release(): void {
    this.#client.release(this.#isLost || this.#isReadOnly)
  }
}

interface ConnectionsOptions {
  /** The same for all that lead to one database. */
  server: CurrentServer
  max: number
  /** Milliseconds after which the server cuts a statement off. */
  statementMs?: number | undefined
  stream?: () => Socket
}

/** Connections to one database, at most so many at once, kept open while they are in use. */
export class Connections {
  readonly #pool: pg.Pool
  readonly #server: CurrentServer

  /** @param stream makes the socket of each; Node's own without */
  constructor(url: string, { server, max, statementMs = requestMs, stream }: ConnectionsOptions) {
    this.#server = server
    this.#pool = new pg.Pool({
      ...basics(url),
      max,
      ...(stream && { stream }),
      // Queries that do not wait for one another share a round trip.
      pipeline: true,
      statement_timeout: statementMs,
      lock_timeout: statementMs,
      idle_in_transaction_session_timeout: idleInTransactionMs,
      query_timeout: statementMs + hungMs,
      onConnect: (client) => server.greet(client),
    })
    // That a connection ends is no error by itself: whoever has it will find out, and the next one gets another.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => client.on('error', () => {}))
  }

  /** Takes a connection; waits a while for a server that is restarting or being replaced. @throws ConnectionLost */
  async take(deadline = performance.now() + timeoutMs): Promise<Connection> {
    for (;;) {
      try {
        const client = await this.#pool.connect()
        const history = this.#server.historyOf(client)
        if (history !== undefined) return new Connection(client, history)
        client.release(true)
        if (performance.now() < deadline) continue
        throw new Error('the address leads to one server and another')
      } catch (error) {
        if (performance.now() + restMs > deadline)
          throw new ConnectionLost('The database cannot be reached', { cause: error })
      }
      await sleep(restMs)
    }
  }

  /** Reads by one statement, on another connection if the first is lost meanwhile. @throws ConnectionLost */
  read(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    return this.reading((connection) => connection.query(text, values))
  }

  /** Reads by several statements on one connection. `work` may be run anew. @throws ConnectionLost */
  gather<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.reading((connection) => work(queriesOf(connection)))
  }

  /** Reads by several statements, all of which see the same. `work` may be run anew. @throws ConnectionLost */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.reading(async (connection) => {
      // Sent together with the first query.
      const begun = connection.run('begin isolation level repeatable read, read only')
      begun.catch(() => {})
      try {
        const result = await work(queriesOf(connection))
        await begun
        return result
      } finally {
        // Nobody waits for it: it goes out at the end of this turn, with the next query if there is one by then, and
        // whoever has the connection next is answered after it. If it fails, so does what follows.
        if (!connection.isLost) connection.run('rollback').catch(() => {})
      }
    })
  }

  /** Reads on a connection. `work` may be run anew, on another. @throws ConnectionLost */
  async reading<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
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

const queriesOf = (connection: Connection): Db => queries((text, values) => connection.query(text, values))
