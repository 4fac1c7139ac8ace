import { type Kysely, sql } from 'kysely'
import { noParticipant, type ParticipantId } from '../../core/ids.ts'
import { inChunks } from '../../storage/db/in-chunks.ts'
import type { Db } from '../../storage/db/tables.ts'
import { namingColumns } from './participant-columns.ts'

/**
 * Does what `participant-columns.ts` says in the transaction of an erasure; the caller logs the change. Some statements
 * read a whole table, so many participants are erased at once.
 */
export async function eraseRowsOf(db: Db, ids: ParticipantId[]): Promise<void> {
  // The list is typed by its tables; queries by the names in it cannot be.
  const untyped = db as unknown as Kysely<Record<string, Record<string, string | number>>>
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
