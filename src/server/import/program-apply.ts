import { addEvent, cancelEvent, findImportedEvents, updateEvent } from '../program/events.ts'
import type { WriteScope } from '../scope.ts'
import { type PlannedSession, planProgram, toActivities, toEvent } from './program-plan.ts'
import type { SourceSession } from './source.ts'

/**
 * Brings the events of a source to what its file says, in the transaction of `scope`. The plan is made anew therein,
 * so that what is done is right even if something changed since it was shown.
 * @param onProgress called after each session with how many of how many are done
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
  { change, session, eventId }: PlannedSession,
): Promise<void> {
  if (change === 'unchanged') return
  if (!session) {
    if (eventId !== undefined) await cancelEvent(scope, eventId)
    return
  }
  const [event, activities] = [toEvent(session), toActivities(session)]
  if (eventId === undefined) await addEvent(scope, { ...event, source, source_key: session.key }, activities)
  else if (change === 'cancelled') await cancelEvent(scope, eventId, event, activities)
  else await updateEvent(scope, eventId, event, activities)
}
