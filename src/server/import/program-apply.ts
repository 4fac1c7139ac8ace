import { addEvent, cancelEvent, findImportedEvents, updateEvent } from '../program/events.ts'
import type { WriteScope } from '../scope.ts'
import { type PlannedSession, planProgram } from './program-plan.ts'
import { toActivities, toEvent } from './session-event.ts'
import type { SourceSession } from './source.ts'

/**
 * Updates the events of a source to match its file, in the transaction of `scope`. The plan is recomputed within it,
 * since events may have changed after it was shown.
 * @param onProgress called after each session
 */
export async function applyProgram(
  scope: WriteScope,
  source: string,
  sessions: readonly SourceSession[],
  onProgress: (done: number, all: number) => void,
): Promise<PlannedSession[]> {
  const plan = planProgram(sessions, await findImportedEvents(scope.db, source))
  for (const [index, planned] of plan.entries()) {
    await applySession(scope, source, planned)
    onProgress(index + 1, plan.length)
  }
  return plan
}

async function applySession(
  scope: WriteScope,
  source: string,
  { change, session, key, eventId }: PlannedSession,
): Promise<void> {
  if (change === 'unchanged') return
  if (!session) {
    if (eventId !== undefined) await cancelEvent(scope, eventId)
    return
  }
  const [event, activities] = [{ ...toEvent(session), source_key: key }, toActivities(session)]
  if (eventId === undefined) await addEvent(scope, { ...event, source }, activities)
  else if (change === 'cancelled') await cancelEvent(scope, eventId, event, activities)
  else await updateEvent(scope, eventId, event, activities)
}
