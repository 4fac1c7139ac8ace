import type { EventId } from '../core/ids.ts'
import { addEvent, cancelEvent, findImportedEvents, updateEvent } from '../program/events.ts'
import type { WriteScope } from '../scope.ts'
import { type PlannedSession, planProgram } from './program-plan.ts'
import type { RecordWrite } from './record-import.ts'
import { toActivities, toEvent } from './session-event.ts'
import type { SourceSession } from './source.ts'

/**
 * Prepares the writes that make the events of a source match its file, in the transaction of `scope`. The plan is
 * recomputed within it, since events may have changed after it was shown.
 */
export async function prepareProgram(
  scope: WriteScope,
  source: string,
  sessions: readonly SourceSession[],
): Promise<{ plan: PlannedSession[]; writes: RecordWrite[] }> {
  const plan = planProgram(sessions, await findImportedEvents(scope.db, source))
  const changed = plan.filter(({ change }) => change !== 'unchanged')
  const writes = changed.map((planned) => ({ id: planned.eventId, write: () => applySession(scope, source, planned) }))
  return { plan, writes }
}

async function applySession(
  scope: WriteScope,
  source: string,
  { change, session, key, eventId }: PlannedSession,
): Promise<EventId> {
  if (!session) {
    await cancelEvent(scope, eventId)
    return eventId
  }
  const [event, activities] = [{ ...toEvent(session), source_key: key }, toActivities(session)]
  if (eventId === undefined) return addEvent(scope, { ...event, source }, activities)
  if (change === 'cancelled') await cancelEvent(scope, eventId, event, activities)
  else await updateEvent(scope, eventId, event, activities)
  return eventId
}
