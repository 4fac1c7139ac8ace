import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { ParticipantId } from '../../core/ids.ts'
import { type Db, primaryKeys, type Row } from '../../storage/db/tables.ts'
import type { OwnTable } from '../participants/personal-data.ts'

type Value = string | number | null

/** A row about a participant. */
export type OwnRow = Record<string, Value>

/** Rows of one query: a topic may be long. */
const batchSize = 50

/** Ids that one query searches: few columns that name a participant have an index, and a search delays others. */
const searchedIds = 10_000

/** Reads the rows of a table about a participant in the order of their key, in batches. */
export async function* readOwnRows(
  db: Db,
  { table, shown, of }: OwnTable,
  participant: ParticipantId,
): AsyncGenerator<readonly OwnRow[]> {
  // The list is typed by its tables; queries by the names in it cannot be.
  const untyped = db as unknown as Kysely<Record<string, OwnRow>>
  const key = primaryKeys[table]
  const all = untyped.selectFrom(table).select(shown).where(of(participant)).orderBy(key)
  // Rows of tables with another key are found by it.
  if (key !== 'id') return yield* inBatches(all, key)
  const newest = await untyped.selectFrom(table).select(db.fn.max<number>('id').as('id')).executeTakeFirst()
  for (let from = 0; from < Number(newest?.id); from += searchedIds)
    yield* inBatches(all.where('id', '>', from).where('id', '<=', from + searchedIds), key)
}

/** @param ordered by this key, which is one of its columns */
async function* inBatches(
  ordered: SelectQueryBuilder<Record<string, OwnRow>, string, OwnRow>,
  key: string,
): AsyncGenerator<readonly OwnRow[]> {
  for (let after: Value | undefined; ; ) {
    const rest = after === undefined ? ordered : ordered.where(key, '>', after)
    const rows = await rest.limit(batchSize).execute()
    if (rows.length > 0) yield rows
    if (rows.length < batchSize) return
    after = rows.at(-1)?.[key]
  }
}

/** The number of rows of a table about a participant. */
export async function countOwnRows(db: Db, { table, of }: OwnTable, participant: ParticipantId): Promise<number> {
  const counted = db.selectFrom(table).select(db.fn.countAll<number>().as('rows')).where(of(participant))
  return Number((await counted.executeTakeFirst())?.rows ?? 0)
}

/** The stored files that a participant has attached, in batches. */
export async function* readOwnFiles(db: Db, participant: ParticipantId) {
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('file')
      .select(['id', 'name', 'blob_key', 'size', 'created_at'])
      .where('created_by', '=', participant)
      .where('blob_key', '<>', '')
      .where('id', '>', after as Row<'file'>['id'])
      .orderBy('id')
      .limit(batchSize)
      .execute()
    yield* rows
    if (rows.length < batchSize) return
    after = rows.at(-1)?.id ?? after
  }
}
