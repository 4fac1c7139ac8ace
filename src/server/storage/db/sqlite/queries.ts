import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import {
  type DialectAdapter,
  Kysely,
  type LimitNode,
  SqliteAdapter,
  SqliteDialect,
  SqliteQueryCompiler,
  type SqliteStatement,
  ValueNode,
} from 'kysely'
import type { SyncAdapter } from '../prepared.ts'
import type { Tables } from '../tables.ts'

/** Distinct prepared statements per connection; the whole program has about 400, including all lengths of its lists. */
const maxStatements = 512

type Row = Record<string, unknown>
type Values = readonly unknown[]

/** A prepared statement of `node:sqlite` with the interface that Kysely's dialect expects. */
class Statement implements SqliteStatement {
  readonly reader: boolean
  readonly #statement: StatementSync
  readonly #toRow: (values: Values) => Row
  readonly #translateError: TranslateError

  constructor(statement: StatementSync, translateError: TranslateError) {
    this.#statement = statement
    this.#translateError = translateError
    const columns = statement.columns().map(({ name }) => name)
    this.#toRow = compileRowFactory(columns)
    this.reader = columns.length > 0
    // Creating rows as objects takes `node:sqlite` twice as long as the rest of a query.
    statement.setReturnArrays(true)
  }

  all(parameters: readonly unknown[]): Row[] {
    try {
      const rows = this.#statement.all(...bindable(parameters)) as unknown as Values[]
      return rows.map(this.#toRow)
    } catch (error) {
      throw this.#translateError(error)
    }
  }

  run(parameters: readonly unknown[]) {
    try {
      return this.#statement.run(...bindable(parameters))
    } catch (error) {
      throw this.#translateError(error)
    }
  }

  *iterate(parameters: readonly unknown[]) {
    try {
      for (const values of this.#statement.iterate(...bindable(parameters)))
        yield this.#toRow(values as unknown as Values)
    } catch (error) {
      throw this.#translateError(error)
    }
  }
}

/** Turns an error of SQLite into the error that a query throws; see `SqliteDamage.translate`. */
export type TranslateError = (error: unknown) => unknown

/** Creates rows from the values of these columns. Generated code takes a quarter of the time of a loop. */
function compileRowFactory(columns: string[]): (values: Values) => Row {
  const members = columns.map((name, index) => `${JSON.stringify(name)}: values[${index}]`)
  return new Function('values', `return { ${members} }`) as (values: Values) => Row
}

/** Kysely types parameters as unknown; `node:sqlite` throws if it cannot bind one. */
const bindable = (parameters: readonly unknown[]) => parameters as SQLInputValue[]

/** Lets `prepared` queries bypass Kysely's executor, and migrations run in a transaction. */
class Adapter extends SqliteAdapter implements SyncAdapter {
  readonly #prepare: (text: string) => Statement

  /** Kysely's adapter denies it, but SQLite's transactions include the schema. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }

  constructor(prepare: (text: string) => Statement) {
    super()
    this.#prepare = prepare
  }

  querySync(text: string, parameters: readonly unknown[]): unknown[] {
    const statement = this.#prepare(text)
    if (statement.reader) return statement.all(parameters)
    statement.run(parameters)
    return []
  }

  insertSync(text: string, parameters: readonly unknown[]): number {
    const { changes, lastInsertRowid } = this.#prepare(text).run(parameters)
    if (changes !== 1) throw new Error(`Expected one row, inserted ${changes}`)
    return Number(lastInsertRowid)
  }
}

/**
 * For a limit that is a parameter, SQLite plans the query by its value in every run, which often costs more than the
 * run. For an expression it does not.
 */
class Compiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(node)
    if (ValueNode.is(node.limit) && !node.limit.immediate) this.append(' + 0')
  }
}

class Dialect extends SqliteDialect {
  readonly #adapter: Adapter

  constructor(prepare: (text: string) => Statement) {
    super({ database: { prepare, close: () => {} } })
    this.#adapter = new Adapter(prepare)
  }

  override createAdapter(): DialectAdapter {
    return this.#adapter
  }

  override createQueryCompiler(): SqliteQueryCompiler {
    return new Compiler()
  }
}

/**
 * Runs queries on one connection, with cached prepared statements: without them, point reads cost several times as
 * much.
 * @param connection must be closed by the caller: `db.destroy()` does not know a connection on which only `prepared`
 *   queries have run
 */
export function createDb(connection: DatabaseSync, translateError: TranslateError = (error) => error): Kysely<Tables> {
  const statements = new Map<string, Statement>()
  const createStatement = (text: string): Statement => {
    try {
      return new Statement(connection.prepare(text), translateError)
    } catch (error) {
      throw translateError(error)
    }
  }
  const prepare = (text: string): Statement => {
    const cached = statements.get(text)
    if (cached) return cached
    const statement = createStatement(text)
    const oldest = statements.size >= maxStatements ? statements.keys().next().value : undefined
    if (oldest !== undefined) statements.delete(oldest)
    statements.set(text, statement)
    return statement
  }
  return new Kysely<Tables>({ dialect: new Dialect(prepare) })
}
