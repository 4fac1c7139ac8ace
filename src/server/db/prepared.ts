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

/** Stands for a parameter while its query is built, or for one element of a parameter that is an array. */
class StandIn {
  readonly #parameter: number
  readonly #element: number | undefined

  constructor(parameter: number, element?: number) {
    this.#parameter = parameter
    this.#element = element
  }

  /** What it stands for in this run: beyond the end of an array its last element. */
  in(parameters: readonly unknown[]): unknown {
    const parameter = parameters[this.#parameter]
    if (this.#element === undefined) return parameter
    const elements = parameter as unknown[]
    return elements[Math.min(this.#element, elements.length - 1)]
  }
}

/**
 * Writes numbers that stand by themselves and are the same in every run into the text. An index of the rows that are not
 * deleted is taken only where the text says so; for a parameter the engines would look at its value, and plan anew in
 * every run.
 */
class Constants extends OperationNodeTransformer implements KyselyPlugin {
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

const constants = new Constants()

/**
 * The adapter of an engine in our own process, on one connection, that answers while one waits. Kysely's executor and
 * its promises would cost more than most queries.
 */
export interface AnswersAtOnce {
  /** @returns the rows of a statement; none of one that gives none */
  rowsAtOnce(text: string, parameters: readonly unknown[]): unknown[]
  /** @returns the id of the one row that a statement inserts @throws Error when it inserts none, or more */
  insertAtOnce(text: string, parameters: readonly unknown[]): number
}

const answersAtOnce = (adapter: object): adapter is AnswersAtOnce => 'rowsAtOnce' in adapter

/**
 * A query that is built once for each engine and then only run: building one costs several times what running it does.
 * A parameter that is an array, for `in`, is filled up with its last element to one of a few lengths, so that there
 * are few texts; what is an array once has to be one always. `build` must put its parameters into the query as they
 * are, as what it is given are stand-ins; whatever else it puts there is the same in every run.
 */
export function prepared<P extends readonly unknown[], R>(build: (db: Db, ...parameters: P) => Compilable<R>) {
  const bind = binder(build)
  return async (db: Db, ...parameters: P): Promise<R[]> => {
    const { query, values } = bind(db, parameters)
    const { adapter } = db.getExecutor()
    if (answersAtOnce(adapter)) return adapter.rowsAtOnce(query.sql, values) as R[]
    const { rows } = await db.executeQuery({ ...query, parameters: values } as CompiledQuery<R>)
    return rows
  }
}

/** Tables whose rows have an id that the engine gives them. */
type TableWithIds = { [T in keyof Tables]: Tables[T] extends { id: Generated<number> } ? T : never }[keyof Tables]

type IdOf<T extends TableWithIds> = Tables[T] extends { id: Generated<infer Id> } ? Id : never

/**
 * The same for a statement that inserts one row of a table with ids. The engine in our own process knows the id that it
 * gave last: to have it in a row, as `returning` makes one, takes longer than to insert.
 */
export function preparedInsert<P extends readonly unknown[], T extends TableWithIds>(
  build: (db: Db, ...parameters: P) => InsertQueryBuilder<Tables, T, InsertResult>,
) {
  const bind = binder(build)
  const returning = prepared((db, ...parameters: P) => build(db, ...parameters).returning(sql<number>`id`.as('id')))
  return async (db: Db, ...parameters: P): Promise<IdOf<T>> => {
    const { adapter } = db.getExecutor()
    // An engine knows nothing of whose ids they are.
    if (!answersAtOnce(adapter)) return only(await returning(db, ...parameters)).id as IdOf<T>
    const { query, values } = bind(db, parameters)
    return adapter.insertAtOnce(query.sql, values) as IdOf<T>
  }
}

function binder<P extends readonly unknown[]>(build: (db: Db, ...parameters: P) => Compilable) {
  const ofEngine = new WeakMap<DialectAdapter, Map<number, CompiledQuery>>()

  const prepare = (db: Db, parameters: P): CompiledQuery => {
    const standIns = parameters.map((parameter, nth) =>
      Array.isArray(parameter)
        ? Array.from({ length: filledUp(parameter.length) }, (_, element) => new StandIn(nth, element))
        : new StandIn(nth),
    )
    // A stand-in has the place of its parameter, and `build` calls no method of it.
    return build(db.withPlugin(constants), ...(standIns as unknown as P)).compile()
  }

  const queriesOf = (adapter: DialectAdapter): Map<number, CompiledQuery> => {
    const known = ofEngine.get(adapter)
    if (known) return known
    const queries = new Map<number, CompiledQuery>()
    ofEngine.set(adapter, queries)
    return queries
  }

  return (db: Db, parameters: P) => {
    const queries = queriesOf(db.getExecutor().adapter)
    const shape = shapeOf(parameters)
    const known = queries.get(shape)
    const query = known ?? prepare(db, parameters)
    if (!known) queries.set(shape, query)
    return { query, values: query.parameters.map((given) => valueAt(given, parameters)) }
  }
}

/** What a query has at a place of its text in this run. */
function valueAt(given: unknown, parameters: readonly unknown[]): unknown {
  if (given instanceof StandIn) return given.in(parameters)
  // An engine that takes arrays gets the elements of `in` as one parameter.
  return Array.isArray(given) ? given.map((element) => valueAt(element, parameters)) : given
}

/** Tells the texts of a query apart: by how long its arrays are, filled up. */
function shapeOf(parameters: readonly unknown[]): number {
  let shape = 0
  for (const parameter of parameters)
    if (Array.isArray(parameter)) shape = shape * mostParameters + filledUp(parameter.length)
  return shape
}

/** The one row of a statement that always gives one. @throws Error when it did not */
export function only<R>(rows: readonly R[]): R {
  const [row] = rows
  if (row === undefined || rows.length > 1) throw new Error(`expected one row, found ${rows.length}`)
  return row
}

/** Far more than any list is long: 5,120, of the comments of an answer that have files. */
const mostParameters = 2 ** 16

/** The next of 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20 and so on: few lengths, of which none is much too long. */
function filledUp(length: number): number {
  if (length <= 8) return length
  const step = 2 ** (Math.ceil(Math.log2(length)) - 3)
  return Math.ceil(length / step) * step
}
