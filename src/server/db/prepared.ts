import {
  type Compilable,
  type CompiledQuery,
  type DialectAdapter,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  ValueNode,
} from 'kysely'
import type { Db } from './tables.ts'

/** Stands for a parameter while its query is built. */
class StandIn {
  readonly parameter: number
  readonly element: number

  constructor(parameter: number, element = 0) {
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

interface Prepared {
  query: CompiledQuery
  standIns: unknown[]
}

/**
 * The adapter of an engine in our own process, on one connection, that answers while one waits. Kysely's executor and
 * its promises would cost more than most queries.
 */
export interface AnswersAtOnce {
  /** @returns the rows of a statement; none of one that gives none */
  rowsAtOnce(text: string, parameters: readonly unknown[]): unknown[]
}

const answersAtOnce = (adapter: object): adapter is AnswersAtOnce => 'rowsAtOnce' in adapter

/**
 * A query that is built once for each engine and then only run: building one costs several times what running it does.
 * A parameter that is an array, for `in`, is filled up with its last element to one of a few lengths, so that there
 * are few texts. `build` must put its parameters into the query as they are, as what it is given are stand-ins; whatever
 * else it puts there is the same in every run.
 */
export function prepared<P extends readonly unknown[], R>(build: (db: Db, ...parameters: P) => Compilable<R>) {
  const ofEngine = new WeakMap<DialectAdapter, Map<string, Prepared>>()

  const prepare = (db: Db, parameters: readonly unknown[]): Prepared => {
    const standIns = parameters.map((parameter, nth) =>
      Array.isArray(parameter) ? parameter.map((_, element) => new StandIn(nth, element)) : new StandIn(nth),
    )
    // A stand-in has the place of its parameter, and no method of it is called.
    const query = build(db.withPlugin(constants), ...(standIns as unknown as P)).compile()
    return { query, standIns: [...query.parameters] }
  }

  return async (db: Db, ...parameters: P): Promise<R[]> => {
    const filled: unknown[] = []
    let shape = ''
    for (const parameter of parameters) {
      const full = Array.isArray(parameter) ? fillUp(parameter) : parameter
      filled.push(full)
      shape += Array.isArray(full) ? `${full.length},` : ','
    }
    const { adapter } = db.getExecutor()
    const shapes = ofEngine.get(adapter) ?? new Map<string, Prepared>()
    ofEngine.set(adapter, shapes)
    const { query, standIns } = shapes.get(shape) ?? prepare(db, filled)
    if (!shapes.has(shape)) shapes.set(shape, { query, standIns })
    const values = standIns.map((standIn) => fillIn(standIn, filled))
    if (answersAtOnce(adapter)) return adapter.rowsAtOnce(query.sql, values) as R[]
    const { rows } = await db.executeQuery({ ...query, parameters: values } as CompiledQuery<R>)
    return rows
  }
}

/** The one row of a statement that always gives one. @throws Error when it did not */
export function only<R>(rows: readonly R[]): R {
  const [row] = rows
  if (row === undefined || rows.length > 1) throw new Error(`expected one row, found ${rows.length}`)
  return row
}

function fillIn(standIn: unknown, parameters: readonly unknown[]): unknown {
  // An engine that takes arrays gets the elements of `in` as one parameter.
  if (Array.isArray(standIn)) return standIn.map((element) => fillIn(element, parameters))
  if (!(standIn instanceof StandIn)) return standIn
  const value = parameters[standIn.parameter]
  return Array.isArray(value) ? value[standIn.element] : value
}

/** Up to the next of 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20 and so on: few lengths, of which none is much too long. */
function fillUp(values: readonly unknown[]): unknown[] {
  const step = 2 ** Math.max(0, Math.ceil(Math.log2(values.length)) - 3)
  const filled = [...values]
  while (filled.length % step !== 0) filled.push(values.at(-1))
  return filled
}
