import type { EventId } from '../../../core/ids.ts'
import type { WriteScope } from '../../../scope.ts'
import { draftAfter, saveDraft, withDraft } from '../../program/drafts.ts'
import { addEvent, cancelEvent, updateEvent } from '../../program/events.ts'
import { addRecord, updateRecord } from '../../program/records.ts'
import { loadEvents, type StoredEvent } from '../../program/stored-events.ts'
import type { RecordWrite } from '../../revisions/record-revision.ts'
import { isExported } from '../source.ts'
import { planParts } from './plan-parts.ts'
import { assertIntended } from './program-losses.ts'
import type { PlannedPart, ProgramFile } from './program-parts-plan.ts'
import { type FileScope, type PlannedSession, type ProgramPlan, planProgram } from './program-plan.ts'
import { toActivities, toReferences } from './session-event.ts'
import { loadProgram } from './stored-program.ts'

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
  const { events, parts } = await loadProgram(scope.db, intent.draft === true)
  const plan = planProgram(planParts(file, parts, events, source), events, source, intent)
  if (!intent.replace) assertIntended(plan.losses)
  return { plan: plan.sessions, writes: await toWrites(scope, source, plan, intent.draft === true) }
}

/**
 * The writes of a plan, in the transaction of `scope`.
 * @param isDraft whether sessions become drafts; rooms, tracks, speakers and the conference are written at once
 */
export async function toWrites(
  scope: WriteScope,
  source: string,
  plan: Pick<ProgramPlan, 'parts' | 'sessions'>,
  isDraft: boolean,
): Promise<RecordWrite[]> {
  const isChanged = ({ change }: PlannedPart | PlannedSession) => change !== 'unchanged'
  // The transaction may run twice.
  for (const part of plan.parts) if (part.change === 'new') part.id = undefined
  const sessions = plan.sessions.filter(isChanged)
  const events = await loadEvents(
    scope.db,
    sessions.flatMap(({ eventId }) => eventId ?? []),
  )
  const byId = new Map(events.map((event) => [event.row.id, event]))
  const apply = isDraft ? draftSession : applySession
  // Parts first, since sessions refer to them.
  return [
    ...plan.parts
      .filter(isChanged)
      .map((part) => ({ kind: part.kind, id: part.id, write: () => applyPart(scope, part) })),
    ...sessions.map((planned) => ({
      kind: 'event' as const,
      id: planned.eventId,
      write: () => apply(scope, source, planned, planned.eventId && byId.get(planned.eventId)),
    })),
  ]
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
  stored: StoredEvent | undefined,
): Promise<EventId> {
  const { change, session, eventId } = planned
  if (!session) {
    await cancelEvent(scope, eventId)
    return eventId
  }
  const event = valuesOf(planned)
  if (eventId === undefined || !stored) return addEvent(scope, { ...event, source }, toActivities(event))
  const activities = activitiesAfter(planned, stored)
  const values = { ...event, is_deleted: 0, draft: draftAfter(stored, { ...event, ...(activities && { activities }) }) }
  if (change === 'cancelled') await cancelEvent(scope, eventId, values, activities)
  else await updateEvent(scope, eventId, values, activities)
  return eventId
}

/** Likewise, for editors only. */
async function draftSession(
  scope: WriteScope,
  source: string,
  planned: PlannedSession,
  stored: StoredEvent | undefined,
): Promise<EventId> {
  if (!stored) {
    if (!planned.session) return planned.eventId
    const event = valuesOf(planned)
    return addEvent(scope, { ...event, source, is_deleted: 1 }, toActivities(event))
  }
  if (!planned.session) await saveDraft(scope, stored, { is_cancelled: 1 })
  else {
    const { guid: _, ...event } = valuesOf(planned)
    const activities = activitiesAfter(planned, withDraft(stored))
    await saveDraft(scope, stored, { ...event, ...(activities && { activities }) })
  }
  return stored.row.id
}

type SessionInFile = Extract<PlannedSession, { session: object }>

const valuesOf = ({ values, session, key }: SessionInFile) => ({
  ...values,
  ...toReferences(session),
  source_key: key,
})

/** The schedule of a stored event after an import. One of its own stays, as it is not part of the spreadsheet. */
function activitiesAfter(planned: SessionInFile, { row, activities }: StoredEvent) {
  const hasOwn = isExported(planned.session) && JSON.stringify(activities) !== JSON.stringify(toActivities(row))
  return hasOwn ? undefined : toActivities(planned.values)
}
