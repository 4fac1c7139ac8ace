import { type Kysely, sql } from 'kysely'
import { noParticipant, type ParticipantId } from '../core/ids.ts'
import type { Db } from '../db/tables.ts'
import { namingColumns } from './participant-columns.ts'

/** Does what `participant-columns.ts` says in the transaction of an erasure; the caller logs the change. */
export async function eraseRowsOf(db: Db, id: ParticipantId): Promise<void> {
  // The list is typed by its tables; queries by the names in it cannot be.
  const untyped = db as unknown as Kysely<Record<string, Record<string, string | number>>>
  for (const { table, column, effect } of namingColumns)
    switch (effect) {
      case 'row':
        await untyped.deleteFrom(table).where(column, '=', id).execute()
        break
      case 'row of kind':
        await untyped.deleteFrom(table).where('kind', '=', 'participant').where(column, '=', id).execute()
        break
      case 'cleared':
        await untyped
          .updateTable(table)
          .set({ [column]: noParticipant })
          .where(column, '=', id)
          // As the condition of the indexes.
          .where(column, '<>', sql.lit(0))
          .execute()
    }
}
