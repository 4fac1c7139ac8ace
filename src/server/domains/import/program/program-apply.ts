import type { EventId } from '../../../core/ids.ts'
import type { WriteScope } from '../../../scope.ts'
import { addEvent, cancelEvent, findImportedEvents, updateEvent } from '../../program/events.ts'
import type { RecordWrite } from '../records/record-import.ts'
import type { SourceSession } from '../source.ts'
import { assertIntended } from './program-losses.ts'
import { type PlannedSession, planProgram } from './program-plan.ts'
import { toActivities, toEvent } from './session-event.ts'

/** The organizer's statements about a file. */
export interface ProgramIntent {
  /** Whether it speaks only for the days that it has. */
  onlyDays: boolean
  /** Whether it is complete, however much the stored program loses. */
  replace: boolean
}

/**
 * Prepares the writes that make the events of a source match its file, in the transaction of `scope`. The plan is
 * recomputed within it, since events may have changed after it was shown.
 * @throws OperatorError if the stored program loses more than was intended
 */
export async function prepareProgram(
  scope: WriteScope,
  source: string,
  sessions: readonly SourceSession[],
  { onlyDays, replace }: ProgramIntent,
): Promise<{ plan: PlannedSession[]; writes: RecordWrite[] }> {
  const { sessions: plan, losses } = planProgram(sessions, await findImportedEvents(scope.db, source), onlyDays)
  if (!replace) assertIntended(losses)
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
