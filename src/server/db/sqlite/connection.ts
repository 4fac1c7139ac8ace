import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
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
import type { AnswersAtOnce } from '../prepared.ts'
import type { Tables } from '../tables.ts'

/** Distinct statements kept prepared per connection; the whole program has some 400, with all lengths of its lists. */
const maxStatements = 512

type Row = Record<string, unknown>
type Values = readonly unknown[]

/** A prepared statement of `node:sqlite` in the shape that Kysely's dialect asks for. */
class Statement implements SqliteStatement {
  readonly reader: boolean
  readonly #statement: StatementSync
  readonly #row: (values: Values) => Row
  readonly #asThrown: AsThrown

  constructor(statement: StatementSync, asThrown: AsThrown) {
    this.#statement = statement
    this.#asThrown = asThrown
    const columns = statement.columns().map(({ name }) => name)
    this.#row = rowMaker(columns)
    this.reader = columns.length > 0
    // Rows as objects, as `node:sqlite` makes them, take it twice as long as all the rest of a query.
    statement.setReturnArrays(true)
  }

  all(parameters: readonly unknown[]): Row[] {
    try {
      const rows = this.#statement.all(...bindable(parameters)) as unknown as Values[]
      return rows.map(this.#row)
    } catch (error) {
      throw this.#asThrown(error)
    }
  }

  run(parameters: readonly unknown[]) {
    try {
      return this.#statement.run(...bindable(parameters))
    } catch (error) {
      throw this.#asThrown(error)
    }
  }

  *iterate(parameters: readonly unknown[]) {
    try {
      for (const values of this.#statement.iterate(...bindable(parameters)))
        yield this.#row(values as unknown as Values)
    } catch (error) {
      throw this.#asThrown(error)
    }
  }
}

/** Turns an error of SQLite into what a query throws. */
type AsThrown = (error: unknown) => unknown

/** Makes a row of the values of these columns. Written out for them, as V8 would have it, it takes a quarter of the time. */
function rowMaker(columns: string[]): (values: Values) => Row {
  const members = columns.map((name, at) => `${JSON.stringify(name)}: values[${at}]`)
  return new Function('values', `return { ${members} }`) as (values: Values) => Row
}

/** Kysely types parameters as unknown; `node:sqlite` itself throws on what it cannot bind. */
const bindable = (parameters: readonly unknown[]) => parameters as SQLInputValue[]

/** Lets queries that are `prepared` pass by Kysely's executor. */
class Adapter extends SqliteAdapter implements AnswersAtOnce {
  readonly #prepare: (text: string) => Statement

  constructor(prepare: (text: string) => Statement) {
    super()
    this.#prepare = prepare
  }

  rowsAtOnce(text: string, parameters: readonly unknown[]): unknown[] {
    const statement = this.#prepare(text)
    if (statement.reader) return statement.all(parameters)
    statement.run(parameters)
    return []
  }

  insertAtOnce(text: string, parameters: readonly unknown[]): number {
    const { changes, lastInsertRowid } = this.#prepare(text).run(parameters)
    if (changes !== 1) throw new Error(`expected one row inserted, not ${changes}`)
    return Number(lastInsertRowid)
  }
}

/**
 * SQLite looks at the value of a limit that is a parameter, and plans the query anew in every run, which costs more than
 * many a run. It does not look at that of an expression.
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
 * One connection, with its statements kept prepared: without that, point reads cost several times more.
 * @param connection is the caller's to close: `db.destroy()` knows nothing of a connection on which only `prepared`
 *   queries have run
 * @param asThrown see {@link SqliteDamage.of}
 */
export function queries(connection: DatabaseSync, asThrown: AsThrown = (error) => error): Kysely<Tables> {
  const statements = new Map<string, Statement>()
  const prepareOne = (text: string): Statement => {
    try {
      return new Statement(connection.prepare(text), asThrown)
    } catch (error) {
      throw asThrown(error)
    }
  }
  const prepare = (text: string): Statement => {
    const known = statements.get(text)
    if (known) return known
    const statement = prepareOne(text)
    const oldest = statements.size >= maxStatements ? statements.keys().next().value : undefined
    if (oldest !== undefined) statements.delete(oldest)
    statements.set(text, statement)
    return statement
  }
  return new Kysely<Tables>({ dialect: new Dialect(prepare) })
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
