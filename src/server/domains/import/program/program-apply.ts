import type { EventId } from '../../../core/ids.ts'
import type { WriteScope } from '../../../scope.ts'
import { addEvent, cancelEvent, listAllEvents, updateEvent } from '../../program/events.ts'
import { addRecord, updateRecord } from '../../program/records.ts'
import type { RecordWrite } from '../../revisions/record-revision.ts'
import { assertIntended } from './program-losses.ts'
import { loadParts, type PlannedPart, type ProgramFile, planParts } from './program-parts-plan.ts'
import { type PlannedSession, planProgram } from './program-plan.ts'
import { toActivities, toEvent, toReferences } from './session-event.ts'

/** What the organizer says about the file. */
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
  file: ProgramFile,
  { onlyDays, replace }: ProgramIntent,
): Promise<{ plan: PlannedSession[]; writes: RecordWrite[] }> {
  const { db } = scope
  const events = await listAllEvents(db)
  const imported = events.filter((event) => event.source === source && event.source_key !== '')
  const resolved = planParts(file, await loadParts(db), events, source)
  const { sessions: plan, parts, losses } = planProgram(resolved, imported, onlyDays)
  if (!replace) assertIntended(losses)
  const isChanged = ({ change }: PlannedPart | PlannedSession) => change !== 'unchanged'
  // Parts first, since sessions refer to them.
  const writes = [
    ...parts.filter(isChanged).map((part) => ({ kind: part.kind, id: part.id, write: () => applyPart(scope, part) })),
    ...plan.filter(isChanged).map((planned) => ({
      kind: 'event' as const,
      id: planned.eventId,
      write: () => applySession(scope, source, planned),
    })),
  ]
  return { plan, writes }
}

/** Writes a room, track or speaker, or the conference. */
export async function applyPart(scope: WriteScope, part: PlannedPart): Promise<number> {
  if (part.id === undefined) part.id = await addRecord(scope, part.kind, part.values)
  else await updateRecord(scope, part.kind, part.id, part.changes ?? {})
  return part.id
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
  const event = { ...toEvent(session), ...toReferences(session), source_key: key }
  const activities = toActivities(session)
  if (eventId === undefined) return addEvent(scope, { ...event, source }, activities)
  if (change === 'cancelled') await cancelEvent(scope, eventId, event, activities)
  else await updateEvent(scope, eventId, event, activities)
  return eventId
}
