import type { Db, NewRow, Row } from '../db/tables.ts'
import type { ParticipantId } from '../ids.ts'
import { type Page, rowsOf } from '../paging.ts'

/** A page of feedback, newest first; of one participant where `participantId` is given. */
export async function pageOfFeedback(db: Db, page: Page, participantId?: ParticipantId): Promise<Row<'feedback'>[]> {
  const kept = db.selectFrom('feedback').select('id').where('is_deleted', '=', 0)
  const wanted = participantId === undefined ? kept : kept.where('participant_id', '=', participantId)
  const ids = wanted.orderBy('id', 'desc').limit(rowsOf(page)).offset(page.offset)
  return db.selectFrom('feedback').selectAll().where('id', 'in', ids).orderBy('id', 'desc').execute()
}

export async function insertFeedback(db: Db, feedback: NewRow<'feedback'>): Promise<Row<'feedback'>> {
  return db.insertInto('feedback').values(feedback).returningAll().executeTakeFirstOrThrow()
}

/** For the export. */
export async function feedbackAfter(db: Db, columns: readonly (keyof Row<'feedback'>)[], after: number, most: number) {
  const kept = db.selectFrom('feedback').select(columns).where('is_deleted', '=', 0)
  return kept.where('id', '>', after).orderBy('id').limit(most).execute()
}
