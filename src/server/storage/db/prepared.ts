import {
  type Compilable,
  type CompiledQuery,
  type DialectAdapter,
  type Generated,
  type InsertQueryBuilder,
  type InsertResult,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  sql,
  ValueNode,
} from 'kysely'
import type { Db, Tables } from './tables.ts'

/** Represents a parameter while its query is built, or one element of an array parameter. */
class Placeholder {
  readonly #parameter: number
  readonly #element: number | undefined

  constructor(parameter: number, element?: number) {
    this.#parameter = parameter
    this.#element = element
  }

  /** The value for this run; beyond the end of an array, its last element. */
  resolve(parameters: readonly unknown[]): unknown {
    const parameter = parameters[this.#parameter]
    if (this.#element === undefined) return parameter
    const elements = parameter as unknown[]
    return elements[Math.min(this.#element, elements.length - 1)]
  }
}

/**
 * Writes numbers that are the same in every run into the text of the query. Engines use the partial index of rows that
 * are not deleted only if the condition is in the text; for a parameter they would plan by its value in every run.
 */
class ConstantInliner extends OperationNodeTransformer implements KyselyPlugin {
  transformQuery({ node, queryId }: PluginTransformQueryArgs) {
    return this.transformNode(node, queryId)
  }

  async transformResult({ result }: PluginTransformResultArgs) {
    return result
  }

  protected override transformValue(node: ValueNode): ValueNode {
    return typeof node.value === 'number' ? ValueNode.createImmediate(node.value) : node
  }
}

const constantInliner = new ConstantInliner()

/**
 * The adapter of an engine in our own process that runs queries synchronously, on one connection. Kysely's executor and
 * its promises would cost more than most queries.
 */
export interface SyncAdapter {
  /** @returns the rows of the statement; an empty array if it has none */
  querySync(text: string, parameters: readonly unknown[]): unknown[]
  /** @returns the id of the one inserted row @throws Error when the statement does not insert exactly one */
  insertSync(text: string, parameters: readonly unknown[]): number
}

const isSyncAdapter = (adapter: object): adapter is SyncAdapter => 'querySync' in adapter

/**
 * A query that is built once for each engine and then only run: building a query costs several times as much as
 * running it. An array parameter, for `in`, is padded with its last element to one of a few lengths, so that there are
 * few texts; a parameter must either always be an array or never. `build` gets placeholders, so it must put its
 * parameters into the query unchanged; everything else that it puts there must be the same in every run.
 */
export function prepared<P extends readonly unknown[], R>(build: (db: Db, ...parameters: P) => Compilable<R>) {
  const bind = createBinder(build)
  return async (db: Db, ...parameters: P): Promise<R[]> => {
    const { query, values } = bind(db, parameters)
    const { adapter } = db.getExecutor()
    if (isSyncAdapter(adapter)) return adapter.querySync(query.sql, values) as R[]
    const { rows } = await db.executeQuery({ ...query, parameters: values } as CompiledQuery<R>)
    return rows
  }
}

/** Tables whose ids are assigned by the engine. */
type TableWithIds = { [T in keyof Tables]: Tables[T] extends { id: Generated<number> } ? T : never }[keyof Tables]

type IdOf<T extends TableWithIds> = Tables[T] extends { id: Generated<infer Id> } ? Id : never

/**
 * The same for a statement that inserts one row into a table with ids. The engine in our own process knows the id that
 * it assigned last; getting it by `returning` takes longer than the insert itself.
 */
export function preparedInsert<P extends readonly unknown[], T extends TableWithIds>(
  build: (db: Db, ...parameters: P) => InsertQueryBuilder<Tables, T, InsertResult>,
) {
  const bind = createBinder(build)
  const returning = prepared((db, ...parameters: P) => build(db, ...parameters).returning(sql<number>`id`.as('id')))
  return async (db: Db, ...parameters: P): Promise<IdOf<T>> => {
    const { adapter } = db.getExecutor()
    // The engine does not know the branded types of ids.
    if (!isSyncAdapter(adapter)) return singleRow(await returning(db, ...parameters)).id as IdOf<T>
    const { query, values } = bind(db, parameters)
    return adapter.insertSync(query.sql, values) as IdOf<T>
  }
}

function createBinder<P extends readonly unknown[]>(build: (db: Db, ...parameters: P) => Compilable) {
  const queriesByEngine = new WeakMap<DialectAdapter, Map<number, CompiledQuery>>()

  const prepare = (db: Db, parameters: P): CompiledQuery => {
    const placeholders = parameters.map((parameter, index) =>
      Array.isArray(parameter)
        ? Array.from({ length: paddedLength(parameter.length) }, (_, element) => new Placeholder(index, element))
        : new Placeholder(index),
    )
    // A placeholder takes the place of its parameter, and `build` calls no method of it.
    return build(db.withPlugin(constantInliner), ...(placeholders as unknown as P)).compile()
  }

  const queriesOf = (adapter: DialectAdapter): Map<number, CompiledQuery> => {
    const existing = queriesByEngine.get(adapter)
    if (existing) return existing
    const queries = new Map<number, CompiledQuery>()
    queriesByEngine.set(adapter, queries)
    return queries
  }

  return (db: Db, parameters: P) => {
    const queries = queriesOf(db.getExecutor().adapter)
    const shape = shapeOf(parameters)
    const existing = queries.get(shape)
    const query = existing ?? prepare(db, parameters)
    if (!existing) queries.set(shape, query)
    return { query, values: query.parameters.map((value) => resolveValue(value, parameters)) }
  }
}

/** Replaces placeholders by their values for this run. */
function resolveValue(value: unknown, parameters: readonly unknown[]): unknown {
  if (value instanceof Placeholder) return value.resolve(parameters)
  // An engine that supports arrays gets the elements of `in` as one parameter.
  return Array.isArray(value) ? value.map((element) => resolveValue(element, parameters)) : value
}

/** Identifies the text of a query among its variants: by the padded lengths of its arrays. */
function shapeOf(parameters: readonly unknown[]): number {
  let shape = 0
  for (const parameter of parameters)
    if (Array.isArray(parameter)) shape = shape * maxArrayLength + paddedLength(parameter.length)
  return shape
}

/** The row of a statement that always returns exactly one. @throws Error when it did not */
export function singleRow<R>(rows: readonly R[]): R {
  const [row] = rows
  if (row === undefined || rows.length > 1) throw new Error(`Expected one row, got ${rows.length}`)
  return row
}

/** Far above the longest list: 5,120, the comments of a response that have files. */
const maxArrayLength = 2 ** 16

/** The next of 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20 and so on: few lengths, with little padding. */
function paddedLength(length: number): number {
  if (length <= 8) return length
  const step = 2 ** (Math.ceil(Math.log2(length)) - 3)
  return Math.ceil(length / step) * step
}
