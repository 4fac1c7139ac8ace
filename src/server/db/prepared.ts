import type { Compilable, CompiledQuery, DialectAdapter } from 'kysely'
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
 * A parameter that is an array, for `in`, is filled up with its last element to the next power of two, so that there
 * are few texts. `build` must put its parameters into the query as they are, as what it is given are stand-ins.
 */
export function prepared<P extends readonly unknown[], R>(build: (db: Db, ...parameters: P) => Compilable<R>) {
  const ofEngine = new WeakMap<DialectAdapter, Map<string, Prepared>>()

  const prepare = (db: Db, parameters: readonly unknown[]): Prepared => {
    const standIns = parameters.map((parameter, nth) =>
      Array.isArray(parameter) ? parameter.map((_, element) => new StandIn(nth, element)) : new StandIn(nth),
    )
    // A stand-in has the place of its parameter, and no method of it is called.
    const query = build(db, ...(standIns as unknown as P)).compile()
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

function fillUp(values: readonly unknown[]): unknown[] {
  const filled = [...values]
  while ((filled.length & (filled.length - 1)) !== 0) filled.push(values.at(-1))
  return filled
}
