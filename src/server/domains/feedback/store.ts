import type { EventId, ParticipantId } from '../../core/ids.ts'
import type { PageParams } from '../../core/paging.ts'
import { prepared, preparedInsert } from '../../storage/db/prepared.ts'
import type { Db, Row } from '../../storage/db/tables.ts'
import { type AuthorColumns, authorColumns, fullName } from '../participants/author-columns.ts'

/** Feedback as shown, with its author. */
export type ShownFeedback = BareFeedback & AuthorColumns

/** Feedback without its author. */
export type BareFeedback = Pick<Row<'feedback'>, 'id' | 'participant_id' | 'comments' | 'created_at'>

const shownColumns = ['feedback.id', 'feedback.participant_id', 'feedback.comments', 'feedback.created_at'] as const

const selectShownFeedback = (db: Db) =>
  db
    .selectFrom('feedback')
    .leftJoin('participant as author', 'author.id', 'feedback.participant_id')
    .select([...shownColumns, ...authorColumns])

const selectIds = (db: Db) => db.selectFrom('feedback').select('id').where('is_deleted', '=', 0).orderBy('id', 'desc')

const allFeedback = prepared((db, limit: number, offset: number) =>
  selectShownFeedback(db)
    .where('feedback.id', 'in', selectIds(db).limit(limit).offset(offset))
    .orderBy('feedback.id', 'desc'),
)

const feedbackOfParticipant = prepared((db, participantId: ParticipantId, limit: number, offset: number) =>
  selectShownFeedback(db)
    .where('feedback.id', 'in', selectIds(db).where('participant_id', '=', participantId).limit(limit).offset(offset))
    .orderBy('feedback.id', 'desc'),
)

/** A page of feedback, newest first; of one participant if `participantId` is given. */
export const pageOfFeedback = (db: Db, page: PageParams, participantId?: ParticipantId): Promise<ShownFeedback[]> =>
  participantId === undefined
    ? allFeedback(db, page.limit, page.offset)
    : feedbackOfParticipant(db, participantId, page.limit, page.offset)

const insertedColumns = [
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

/** The values of new feedback. */
export type NewFeedback = Pick<Row<'feedback'>, (typeof insertedColumns)[number]>

const insert = preparedInsert((db, ...values: NewFeedback[(typeof insertedColumns)[number]][]) =>
  db
    .insertInto('feedback')
    // Object.fromEntries loses the types of the columns.
    .values(Object.fromEntries(insertedColumns.map((name, index) => [name, values[index]])) as NewFeedback),
)

export async function insertFeedback(db: Db, feedback: NewFeedback): Promise<BareFeedback> {
  const id = await insert(db, ...insertedColumns.map((name) => feedback[name]))
  return { id, ...feedback }
}

/** The events among `ids` that have feedback. */
export const eventsWithFeedback = (db: Db, ids: EventId[]) =>
  db.selectFrom('feedback').select('program_id').distinct().where('program_id', 'in', ids).execute()

/** Feedback as stored, for the operator; undefined if there is none with this id. */
export const findFeedback = (db: Db, id: number): Promise<Row<'feedback'> | undefined> =>
  db.selectFrom('feedback').selectAll().where('id', '=', id).executeTakeFirst()

export async function deleteFeedbackRow(db: Db, id: number): Promise<void> {
  await db.deleteFrom('feedback').where('id', '=', id).execute()
}

/** A column of the export: with the full name of the participant and the title of the session, null if unknown. */
export type ExportedColumn = keyof Row<'feedback'> | 'participant' | 'session'

/** For the export. */
export async function feedbackAfter(db: Db, columns: readonly ExportedColumn[], after: number, limit: number) {
  return (
    db
      .selectFrom('feedback')
      .leftJoin('participant as author', 'author.id', 'feedback.participant_id')
      // Without the title of one that is not published.
      .leftJoin('event', (join) =>
        join
          .onRef('event.id', '=', 'feedback.program_id')
          .on((on) => on.or([on('event.is_deleted', '=', 0), on('event.deleted_at', '>', 0)])),
      )
      .select(columns.map(selectionOf))
      .where('feedback.is_deleted', '=', 0)
      .where('feedback.id', '>', after)
      .orderBy('feedback.id')
      .limit(limit)
      .execute()
  )
}

function selectionOf(column: ExportedColumn) {
  if (column === 'participant') return fullName('author').as('participant')
  return column === 'session' ? 'event.title as session' : (`feedback.${column}` as const)
}
