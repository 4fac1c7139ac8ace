import type { Data } from '../../../contract/index.ts'
import type { EventId } from '../../core/ids.ts'
import { appendChange } from '../../log/changes/log.ts'
import type { HandlerInput } from '../../operation.ts'
import type { PersonalScope, WriteScope } from '../../scope.ts'
import type { Db } from '../../storage/db/tables.ts'
import { assertParticipantExists } from '../participants/participants.ts'
import { findPublicEvents } from '../program/schedule.ts'
import { deleteStars, findStars, insertStars, starredEvents } from './store.ts'

/** @throws Failure PARTICIPANT_NOT_FOUND for an organizer who is no participant */
export async function listStars(scope: PersonalScope): Promise<Data<'listStars'>> {
  const { db, principal, timestamp } = scope
  await assertParticipantExists(db, principal.participant)
  const stars = await findStars(db, principal.participant)
  const shown = await findPublicEvents(
    db,
    stars.map(({ event_id }) => event_id),
  )
  return {
    stars: stars
      .filter(({ event_id }) => shown.has(event_id))
      .map(({ event_id, created_at }) => ({ event_id: String(event_id), created_at: timestamp(created_at) })),
  }
}

/**
 * Idempotent, as several devices send what they know. The change names the participant and no event: what they have
 * starred is nobody else's concern, and organizers read the log.
 * @throws Failure PARTICIPANT_NOT_FOUND for an organizer who is no participant
 */
export async function updateStars(
  scope: WriteScope,
  { add = [], remove = [] }: HandlerInput<'updateStars'>,
): Promise<Data<'updateStars'>> {
  const { db, now } = scope
  const { participant } = scope.principal
  await assertParticipantExists(db, participant)
  const starred = new Set((await findStars(db, participant)).map(({ event_id }) => event_id))
  const removed = new Set(remove)
  const known = await findPublicEvents(db, add)
  const added = [...known].filter((id) => !starred.has(id) && !removed.has(id))
  const deleted = [...removed].filter((id) => starred.has(id))
  if (added.length + deleted.length > 0) {
    await insertStars(db, participant, added, now)
    await deleteStars(db, participant, deleted)
    await appendChange(scope, { kind: 'stars.updated', record: participant, actor: participant })
  }
  return listStars(scope)
}

/** The events among `ids` that somebody has starred. */
export async function findEventsWithStars(db: Db, ids: number[]): Promise<Set<number>> {
  return new Set((await starredEvents(db, ids as EventId[])).map(({ event_id }) => event_id))
}
