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

/** Stands for a parameter while its query is built. */
class StandIn {
  readonly parameter: number
  /** Of a parameter that is an array. */
  readonly element: number | undefined

  constructor(parameter: number, element?: number) {
    this.parameter = parameter
    this.element = element
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

/** Finds the value of a place among the parameters. */
type Place = (parameters: readonly unknown[]) => unknown

interface Prepared {
  query: CompiledQuery
  places: Place[]
}

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
  const ofEngine = new WeakMap<DialectAdapter, Map<string, Prepared>>()

  const prepare = (db: Db, parameters: readonly unknown[]): Prepared => {
    const standIns = parameters.map((parameter, nth) =>
      Array.isArray(parameter) ? parameter.map((_, element) => new StandIn(nth, element)) : new StandIn(nth),
    )
    // A stand-in has the place of its parameter, and no method of it is called.
    const query = build(db.withPlugin(constants), ...(standIns as unknown as P)).compile()
    return { query, places: query.parameters.map(toPlace) }
  }

  const shapesOf = (adapter: DialectAdapter): Map<string, Prepared> => {
    const known = ofEngine.get(adapter)
    if (known) return known
    const shapes = new Map<string, Prepared>()
    ofEngine.set(adapter, shapes)
    return shapes
  }

  return (db: Db, parameters: P) => {
    const filled = parameters.map((parameter) => (Array.isArray(parameter) ? fillUp(parameter) : parameter))
    let shape = ''
    for (const parameter of filled) if (Array.isArray(parameter)) shape += `${parameter.length},`
    const shapes = shapesOf(db.getExecutor().adapter)
    const known = shapes.get(shape)
    const { query, places } = known ?? prepare(db, filled)
    if (!known) shapes.set(shape, { query, places })
    return { query, values: places.map((place) => place(filled)) }
  }
}

/** The one row of a statement that always gives one. @throws Error when it did not */
export function only<R>(rows: readonly R[]): R {
  const [row] = rows
  if (row === undefined || rows.length > 1) throw new Error(`expected one row, found ${rows.length}`)
  return row
}

/** Makes what finds the value of one place in a text. */
function toPlace(given: unknown): Place {
  if (given instanceof StandIn) {
    const { parameter, element } = given
    return element === undefined
      ? (parameters) => parameters[parameter]
      : (parameters) => (parameters[parameter] as unknown[])[element]
  }
  // An engine that takes arrays gets the elements of `in` as one parameter.
  if (Array.isArray(given)) {
    const places = given.map(toPlace)
    return (parameters) => places.map((place) => place(parameters))
  }
  return () => given
}

/** Up to the next of 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20 and so on: few lengths, of which none is much too long. */
function fillUp(values: readonly unknown[]): readonly unknown[] {
  if (values.length <= 8) return values
  const step = 2 ** (Math.ceil(Math.log2(values.length)) - 3)
  const filled = [...values]
  while (filled.length % step !== 0) filled.push(values.at(-1))
  return filled
}
