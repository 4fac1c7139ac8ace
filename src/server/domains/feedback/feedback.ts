import type { Feedback } from '../../../contract/feedback.ts'
import type { Data } from '../../../contract/index.ts'
import type { Author } from '../../../contract/records.ts'
import { type EventId, noEvent, noParticipant, type ParticipantId } from '../../core/ids.ts'
import type { PageParams } from '../../core/paging.ts'
import { appendChange } from '../../log/changes/log.ts'
import type { HandlerInput } from '../../operation.ts'
import type { PersonalScope, Scope, WriteScope } from '../../scope.ts'
import { inChunks } from '../../storage/db/in-chunks.ts'
import type { Db } from '../../storage/db/tables.ts'
import { loadAuthor, toAuthor } from '../participants/authors.ts'
import { type BareFeedback, deleteFeedbackRow, eventsWithFeedback, insertFeedback, pageOfFeedback } from './store.ts'

export { findFeedback } from './store.ts'

export async function listFeedback(
  scope: Scope,
  page: PageParams,
  participantId?: ParticipantId,
): Promise<Data<'listFeedback'>> {
  const rows = await pageOfFeedback(scope.db, page, participantId)
  return { feedbacks: rows.map((row) => toFeedback(row, toAuthor(scope, row.participant_id, row), scope)) }
}

/** The feedback of the sender; none of another participant, and none for a sender who is no participant. */
export async function listOwnFeedback(
  scope: PersonalScope,
  page: PageParams,
  participantId = scope.principal.participant,
): Promise<Data<'listFeedback'>> {
  const { participant } = scope.principal
  if (participant === noParticipant || participant !== participantId) return { feedbacks: [] }
  return listFeedback(scope, page, participant)
}

/** The author is `participant_id`, or else `created_by`; the contract requires one of them. */
export async function addFeedback(scope: WriteScope, input: HandlerInput<'addFeedback'>): Promise<Data<'addFeedback'>> {
  const { participant_id, created_by, comments = null, program_id = noEvent } = input
  const { quality = '', rating = '', relevance = '', expectation = '' } = input
  const author = participant_id ?? created_by ?? noParticipant
  const row = await insertFeedback(scope.db, {
    program_id,
    quality,
    rating,
    relevance,
    expectation,
    participant_id: author,
    comments,
    created_at: scope.now,
    created_by: created_by ?? author,
  })
  await appendChange(scope, { kind: 'feedback.added', record: row.id, actor: created_by ?? author })
  return { feedbacks: toFeedback(row, await loadAuthor(scope, author), scope) }
}

/** Deletes feedback for good. */
export async function deleteFeedback(scope: WriteScope, id: number): Promise<void> {
  await deleteFeedbackRow(scope.db, id)
  await appendChange(scope, { kind: 'feedback.deleted', record: id })
}

/** The events among `ids` that have feedback. */
export async function findEventsWithFeedback(db: Db, ids: number[]): Promise<Set<number>> {
  const rows = await inChunks(ids, (some) => eventsWithFeedback(db, some as EventId[]))
  return new Set(rows.map(({ program_id }) => program_id))
}

const toFeedback = (row: BareFeedback, author: Author, { timestamp }: Scope): Feedback => ({
  id: String(row.id),
  comments: row.comments,
  author,
  dateCreated: timestamp(row.created_at),
})
