import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DefaultQueryCompiler } from 'kysely'
import pg from 'pg'

/**
 * The most parameters that a statement may have in the tests: as many as the comments with files of one response. The
 * engines take 32,766 and 65,535, so without this limit a statement whose parameters grow with the data would fail only
 * with more rows than most tests have.
 */
const maxParameters = 5_120

/** A folder in which the product's statements are recorded as the tests run them; see `record-statements.ts`. */
const { TEST_QUERIES: folder } = process.env

/** A statement, and the file whose function built it. */
export interface RecordedStatement {
  text: string
  file: string
}

const recorded = new Set<string>()

/** Records a statement, unless a test built it. */
function record(text: string): void {
  if (folder === undefined || recorded.has(text)) return
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 50
  const frames = new Error().stack?.matchAll(/\/((?:src|test)\/\S+\.ts):\d+:\d+/g) ?? []
  Error.stackTraceLimit = stackTraceLimit
  const files = Array.from(frames, ([, file = '']) => file)
  const file = files.find(
    (name) => !/^(test\/watch-queries|src\/server\/storage\/db\/(prepared|in-chunks))\.ts$/.test(name),
  )
  if (file === undefined || !file.startsWith('src/') || /\.(test|fixtures)\.ts$/.test(file)) return
  recorded.add(text)
  appendFileSync(
    join(folder, `${process.pid}.jsonl`),
    `${JSON.stringify({ text, file } satisfies RecordedStatement)}\n`,
  )
}

// Tests of several files share a process.
const mark = Symbol.for('summit: watched queries')

if (!(mark in DatabaseSync.prototype)) {
  const { prepare } = DatabaseSync.prototype
  const { query } = pg.Client.prototype
  const { compileQuery } = DefaultQueryCompiler.prototype
  Object.assign(DatabaseSync.prototype, {
    [mark]: true,
    prepare(this: DatabaseSync, text: string) {
      this.limits.variableNumber = maxParameters
      return prepare.call(this, text)
    },
  })
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, ...args: unknown[]) {
      const [config] = args as [string | pg.QueryConfig | undefined]
      const values = typeof config === 'object' ? config.values : args[1]
      if (Array.isArray(values) && values.length > maxParameters)
        throw new Error(`Too many parameters: ${values.length}`)
      return Reflect.apply(query, this, args)
    },
  })
  Object.assign(DefaultQueryCompiler.prototype, {
    compileQuery(this: DefaultQueryCompiler, ...args: Parameters<typeof compileQuery>) {
      const query = compileQuery.apply(this, args)
      record(query.sql)
      return query
    },
  })
}
