import type { ParticipantId } from '../core/ids.ts'
import { type PageParams, rowLimitOf } from '../core/paging.ts'
import { prepared, preparedInsert } from '../db/prepared.ts'
import type { Db, Row } from '../db/tables.ts'
import { type AuthorColumns, authorColumns } from '../participants/author-columns.ts'

/** What of a feedback is shown, with its author. */
export type ShownFeedback = BareFeedback & AuthorColumns

/** The same without its author. */
export type BareFeedback = Pick<Row<'feedback'>, 'id' | 'participant_id' | 'comments' | 'created_at'>

const shown = ['feedback.id', 'feedback.participant_id', 'feedback.comments', 'feedback.created_at'] as const

const shownFeedback = (db: Db) =>
  db
    .selectFrom('feedback')
    .leftJoin('participant as author', 'author.id', 'feedback.participant_id')
    .select([...shown, ...authorColumns])

const kept = (db: Db) => db.selectFrom('feedback').select('id').where('is_deleted', '=', 0).orderBy('id', 'desc')

const ofAll = prepared((db, limit: number, offset: number) =>
  shownFeedback(db).where('feedback.id', 'in', kept(db).limit(limit).offset(offset)).orderBy('feedback.id', 'desc'),
)

const ofParticipant = prepared((db, participantId: ParticipantId, limit: number, offset: number) =>
  shownFeedback(db)
    .where('feedback.id', 'in', kept(db).where('participant_id', '=', participantId).limit(limit).offset(offset))
    .orderBy('feedback.id', 'desc'),
)

/** A page of feedback, newest first; of one participant where `participantId` is given. */
export const pageOfFeedback = (db: Db, page: PageParams, participantId?: ParticipantId): Promise<ShownFeedback[]> =>
  participantId === undefined
    ? ofAll(db, rowLimitOf(page), page.offset)
    : ofParticipant(db, participantId, rowLimitOf(page), page.offset)

const values = [
  'participant_id',
  'program_id',
  'quality',
  'rating',
  'relevance',
  'expectation',
  'comments',
  'created_at',
  'created_by',
] as const

/** What a feedback is made of. */
export type NewFeedback = Pick<Row<'feedback'>, (typeof values)[number]>

const insert = preparedInsert((db, ...given: NewFeedback[(typeof values)[number]][]) =>
  db
    .insertInto('feedback')
    // The row of the types, by its names again.
    .values(Object.fromEntries(values.map((name, nth) => [name, given[nth]])) as NewFeedback),
)

export async function insertFeedback(db: Db, feedback: NewFeedback): Promise<BareFeedback> {
  const id = await insert(db, ...values.map((name) => feedback[name]))
  return { id, ...feedback }
}

/** For the export. */
export async function feedbackAfter(db: Db, columns: readonly (keyof Row<'feedback'>)[], after: number, most: number) {
  const kept = db.selectFrom('feedback').select(columns).where('is_deleted', '=', 0)
  return kept.where('id', '>', after).orderBy('id').limit(most).execute()
}
