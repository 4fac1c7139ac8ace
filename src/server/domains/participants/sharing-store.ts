import type { ParticipantId } from '../../core/ids.ts'
import type { Db, Row } from '../../storage/db/tables.ts'

/** Undefined for a participant who has chosen nothing. */
export const findSharing = (db: Db, participant: ParticipantId): Promise<Row<'sharing'> | undefined> =>
  db.selectFrom('sharing').selectAll().where('participant_id', '=', participant).executeTakeFirst()

export async function storeSharing(db: Db, { participant_id, ...choices }: Row<'sharing'>): Promise<void> {
  await db
    .insertInto('sharing')
    .values({ participant_id, ...choices })
    .onConflict((conflict) => conflict.column('participant_id').doUpdateSet(choices))
    .execute()
}
