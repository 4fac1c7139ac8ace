import { operations } from '../../../contract/index.ts'
import { type Operation, pathOf, type RecordKind } from '../../../contract/operation.ts'
import type { Db } from '../../storage/db/tables.ts'

/** Rows of each page. */
const limit = 50

/**
 * The reads with which two copies of a summit are compared: the first and the last page of each list, and the oldest
 * and the newest record of each kind.
 */
export async function samplePaths(db: Db): Promise<string[]> {
  const reads = Object.values<Operation>(operations).filter(({ access, data }) => 'readers' in access && data)
  const ranges = new Map<RecordKind, Range>()
  for (const [, { 'x-record': record, 'x-listed': listed }] of reads.flatMap(paramsOf))
    for (const kind of [record, listed]) if (kind && !ranges.has(kind)) ranges.set(kind, await rangeOf(db, kind))
  const parameterOf = ({ 'x-record': record, 'x-listed': listed }: Keywords, end: End): number => {
    if (record) return ranges.get(record)?.[end] ?? 1
    if (!listed) return limit
    return end === 'newest' ? 0 : Math.max(0, (ranges.get(listed)?.rows ?? 0) - limit)
  }
  const paths = reads.flatMap((read) =>
    (['oldest', 'newest'] as const).map((end) =>
      pathOf(read, Object.fromEntries(paramsOf(read).map(([name, keywords]) => [name, parameterOf(keywords, end)]))),
    ),
  )
  return [...new Set(paths)]
}

/** A parameter is the id of a record, or the offset or limit of a list. */
interface Keywords {
  'x-record'?: RecordKind
  'x-listed'?: RecordKind
}

// TypeBox does not carry custom keywords into the type.
const paramsOf = ({ params }: Operation) => Object.entries<Keywords>(params.properties)

type End = 'oldest' | 'newest'

interface Range {
  rows: number
  /** Ids; 1 if there is no row. */
  oldest: number
  newest: number
}

/** @param table of records, which have the columns of `Audit` */
async function rangeOf(db: Db, table: RecordKind): Promise<Range> {
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
