import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { Kysely, SqliteDialect, type SqliteStatement } from 'kysely'
import type { Tables } from '../tables.ts'

/** Distinct statements kept prepared per connection; the whole program has fewer. */
const maxStatements = 256

/** A prepared statement of `node:sqlite` in the shape that Kysely's dialect asks for. */
class Statement implements SqliteStatement {
  readonly reader: boolean
  readonly #statement: StatementSync

  constructor(statement: StatementSync) {
    this.#statement = statement
    this.reader = statement.columns().length > 0
  }

  all(parameters: readonly unknown[]): unknown[] {
    return this.#statement.all(...bindable(parameters))
  }

  run(parameters: readonly unknown[]) {
    return this.#statement.run(...bindable(parameters))
  }

  iterate(parameters: readonly unknown[]) {
    return this.#statement.iterate(...bindable(parameters))
  }
}

/** Kysely types parameters as unknown; `node:sqlite` itself throws on what it cannot bind. */
const bindable = (parameters: readonly unknown[]) => parameters as SQLInputValue[]

/**
 * One connection, with its statements kept prepared: without that, point reads cost several times more.
 * @param connection stays the caller's, but is closed by `db.destroy()`
 */
export function queries(connection: DatabaseSync): Kysely<Tables> {
  const statements = new Map<string, Statement>()
  const prepare = (text: string): Statement => {
    const known = statements.get(text)
    if (known) return known
    const statement = new Statement(connection.prepare(text))
    const oldest = statements.size >= maxStatements ? statements.keys().next().value : undefined
    if (oldest !== undefined) statements.delete(oldest)
    statements.set(text, statement)
    return statement
  }
  return new Kysely<Tables>({
    dialect: new SqliteDialect({ database: { prepare, close: () => connection.close() } }),
  })
}

/**
 * Opens a connection to the database file.
 * - WAL lets readers go on while one writes; `synchronous=FULL` syncs the log at every commit, so that what was
 *   acknowledged survives a power cut (https://www.sqlite.org/pragma.html#pragma_synchronous).
 * - Checkpoints are ours, see `checkpoint.ts`.
 * - No busy timeout: SQLite would sleep on our only thread. Who waits for another process does so by `await`.
 */
export function connect(file: string, mode: 'read' | 'write'): DatabaseSync {
  const connection = new DatabaseSync(file, { readOnly: mode === 'read', enableForeignKeyConstraints: true })
  if (mode === 'write')
    connection.exec('pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 0')
  connection.exec('pragma cache_size = -32000; pragma temp_store = memory')
  return connection
}
