import type { EventId } from '../../../core/ids.ts'
import type { WriteScope } from '../../../scope.ts'
import { addEvent, cancelEvent, findSchedule, listAllEvents, updateEvent } from '../../program/events.ts'
import { addRecord, updateRecord } from '../../program/records.ts'
import type { RecordWrite } from '../../revisions/record-revision.ts'
import { isExported } from '../source.ts'
import { planParts } from './plan-parts.ts'
import { assertIntended } from './program-losses.ts'
import { loadParts, type PlannedPart, type ProgramFile } from './program-parts-plan.ts'
import { type FileScope, type PlannedSession, planProgram } from './program-plan.ts'
import { type EventRow, toActivities, toReferences } from './session-event.ts'

/** What the organizer says about the file. */
export interface ProgramIntent extends FileScope {
  /** Whether it is complete, however much the stored program loses. */
  replace?: boolean | undefined
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
  intent: ProgramIntent,
): Promise<{ plan: PlannedSession[]; writes: RecordWrite[] }> {
  const { db } = scope
  const events = await listAllEvents(db)
  const resolved = planParts(file, await loadParts(db), events, source)
  const { sessions: plan, parts, losses } = planProgram(resolved, events, source, intent)
  if (!intent.replace) assertIntended(losses)
  const eventById = new Map(events.map((event) => [event.id, event]))
  const isChanged = ({ change }: PlannedPart | PlannedSession) => change !== 'unchanged'
  // Parts first, since sessions refer to them.
  const writes = [
    ...parts.filter(isChanged).map((part) => ({ kind: part.kind, id: part.id, write: () => applyPart(scope, part) })),
    ...plan.filter(isChanged).map((planned) => ({
      kind: 'event' as const,
      id: planned.eventId,
      write: () => applySession(scope, source, planned, planned.eventId && eventById.get(planned.eventId)),
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

/** @param stored the event of the session; undefined if it is new */
async function applySession(
  scope: WriteScope,
  source: string,
  planned: PlannedSession,
  stored: EventRow | undefined,
): Promise<EventId> {
  const { change, session, key, eventId } = planned
  if (!session) {
    await cancelEvent(scope, eventId)
    return eventId
  }
  const event = { ...planned.values, ...toReferences(session), source_key: key }
  const itself = toActivities(event)
  if (eventId === undefined || !stored) return addEvent(scope, { ...event, source }, itself)
  // A schedule of its own is not part of the spreadsheet.
  const activities = isExported(session) && (await hasOwnSchedule(scope, stored)) ? undefined : itself
  if (change === 'cancelled') await cancelEvent(scope, eventId, event, activities)
  else await updateEvent(scope, eventId, event, activities)
  return eventId
}

/** Whether its schedule is more than the session itself. */
async function hasOwnSchedule({ db }: WriteScope, event: EventRow): Promise<boolean> {
  const schedule = (await findSchedule(db, event.id)).map(({ date, time, title }) => ({ date, time, title }))
  return JSON.stringify(schedule) !== JSON.stringify(toActivities(event))
}
