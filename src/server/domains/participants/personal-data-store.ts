import { type Kysely, sql } from 'kysely'
import { noParticipant, type ParticipantId } from '../../core/ids.ts'
import { inChunks } from '../../storage/db/in-chunks.ts'
import type { Db } from '../../storage/db/tables.ts'
import { namingColumns, ownTables } from './personal-data.ts'

/** The list is typed by its tables; queries by the names in it cannot be. */
const untypedDb = (db: Db) => db as unknown as Kysely<Record<string, Record<string, string | number>>>

/**
 * Does what `personal-data.ts` says in the transaction of an erasure; the caller logs the change. Some statements read a
 * whole table, so many participants are erased at once.
 */
export async function eraseRowsOf(db: Db, ids: ParticipantId[]): Promise<void> {
  const untyped = untypedDb(db)
  for (const { table, column, effect } of namingColumns)
    await inChunks<ParticipantId, object>(ids, async (some) => {
      switch (effect) {
        case 'row':
          return untyped.deleteFrom(table).where(column, 'in', some).execute()
        case 'row of kind':
          return untyped.deleteFrom(table).where('kind', '=', 'participant').where(column, 'in', some).execute()
        case 'cleared':
          return (
            untyped
              .updateTable(table)
              .set({ [column]: noParticipant })
              .where(column, 'in', some)
              // As the condition of the indexes.
              .where(column, '<>', sql.lit(0))
              .execute()
          )
        default:
          return []
      }
    })
}

/** The participants among `ids` who have written anything, even if it was deleted. */
export async function findWriters(db: Db, ids: ParticipantId[]): Promise<Set<number>> {
  const written = ownTables.filter(({ counted }) => counted).map(({ table }) => table)
  const isWriter = ({ table, column, effect }: (typeof namingColumns)[number]): boolean =>
    written.includes(table) && (effect === 'row' || column === 'created_by')
  const writers = new Set<number>()
  for (const { table, column } of namingColumns.filter(isWriter)) {
    const rows = await inChunks(ids, (some) =>
      untypedDb(db).selectFrom(table).select(column).distinct().where(column, 'in', some).execute(),
    )
    for (const row of rows) writers.add(Number(row[column]))
  }
  return writers
}
