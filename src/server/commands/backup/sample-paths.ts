import type { TSchema } from 'typebox'
import { type Operations, operations } from '../../../contract/index.ts'
import { type Operation, pathOf, type RecordKind } from '../../../contract/operation.ts'
import type { CachedOperationName } from '../../operation.ts'
import type { Db, Tables } from '../../storage/db/tables.ts'

/** Rows of each page. */
const limit = 50

/** The tag of an operation whose responses are compared. */
type ListedTag = Operations[CachedOperationName]['tag']

/** The table that the lists with a tag show, which has the columns of `Audit`. */
const listedTables = {
  'News feed': 'topic',
  Program: 'event',
  Feedback: 'feedback',
  Participants: 'participant',
} as const satisfies Record<ListedTag, keyof Tables>

type ListedTable = (typeof listedTables)[ListedTag] | RecordKind

/**
 * The reads with which two copies of a summit are compared: the first and the last page of each list, and the oldest
 * and the newest record of each kind.
 */
export async function samplePaths(db: Db): Promise<string[]> {
  const tables = ['topic', 'comment', 'file', 'event', 'participant', 'feedback'] as const satisfies ListedTable[]
  const ranges = Object.fromEntries(
    await Promise.all(tables.map(async (table) => [table, await rangeOf(db, table)] as const)),
  ) as Record<ListedTable, Range>
  const parameterOf = (name: string, schema: TSchema, tag: ListedTag, end: End): number => {
    if (name === 'limit') return limit
    const kind = (schema as { 'x-record'?: RecordKind })['x-record']
    if (kind !== undefined) return ranges[kind][end]
    return end === 'newest' ? 0 : Math.max(0, ranges[listedTables[tag]].rows - limit)
  }
  const reads = Object.values<Operation>(operations).filter(({ access, data }) => 'readers' in access && data)
  const paths = reads.flatMap((operation) =>
    (['oldest', 'newest'] as const).map((end) => {
      const { properties } = operation.params
      const values = Object.entries(properties).map(([name, schema]) => [
        name,
        parameterOf(name, schema, operation.tag as ListedTag, end),
      ])
      return pathOf(operation, Object.fromEntries(values))
    }),
  )
  return [...new Set(paths)]
}

type End = 'oldest' | 'newest'

interface Range {
  rows: number
  /** Ids; 1 if there is no row. */
  oldest: number
  newest: number
}

async function rangeOf(db: Db, table: ListedTable): Promise<Range> {
  const row = await db
    .selectFrom(table)
    .select(({ fn }) => [
      fn.countAll<number>().as('rows'),
      fn.min<number>('id').as('oldest'),
      fn.max<number>('id').as('newest'),
    ])
    .where('is_deleted', '=', 0)
    .executeTakeFirst()
  return { rows: row?.rows ?? 0, oldest: row?.oldest ?? 1, newest: row?.newest ?? 1 }
}
