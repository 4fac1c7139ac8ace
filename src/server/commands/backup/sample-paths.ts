import { operations } from '../../../contract/index.ts'
import { type Operation, pathOf, type RecordKind } from '../../../contract/operation.ts'
import type { Db, RecordTable } from '../../storage/db/tables.ts'

/** Rows of each page. */
const limit = 50

/**
 * The reads with which two copies of a summit are compared: the first and the last page of each list, and the oldest
 * and the newest record of each kind, with the first page of its lists. A search shows nothing else.
 */
export async function samplePaths(db: Db): Promise<string[]> {
  const reads = Object.values<Operation>(operations).filter(
    ({ access, data, uncached }) => 'readers' in access && data && !uncached,
  )
  const ranges = new Map<RecordKind, Range>()
  for (const [, { 'x-record': record, 'x-listed': listed }] of reads.flatMap(paramsOf))
    for (const kind of [record, listed])
      if (kind && kind !== 'revision' && !ranges.has(kind)) ranges.set(kind, await rangeOf(db, kind))
  const pathAt = (read: Operation, end: End): string => {
    const params = paramsOf(read)
    // How many rows the list of one record has is not counted.
    const hasRecord = params.some(([, { 'x-record': record }]) => record)
    const parameterOf = ({ 'x-record': record, 'x-listed': listed }: Keywords): number => {
      if (record) return ranges.get(record)?.[end] ?? 1
      if (!listed) return limit
      return hasRecord || end === 'newest' ? 0 : Math.max(0, (ranges.get(listed)?.rows ?? 0) - limit)
    }
    return pathOf(read, Object.fromEntries(params.map(([name, keywords]) => [name, parameterOf(keywords)])))
  }
  return [...new Set(reads.flatMap((read) => [pathAt(read, 'oldest'), pathAt(read, 'newest')]))]
}

/** The kinds that all readers may read. They have the columns of `Audit`. */
type SampledKind = RecordKind & RecordTable

/** A parameter is the id of a record, or the offset or limit of a list. */
interface Keywords {
  'x-record'?: SampledKind
  /** Of releases, the first page is enough. */
  'x-listed'?: SampledKind | 'revision'
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

async function rangeOf(db: Db, table: SampledKind): Promise<Range> {
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
