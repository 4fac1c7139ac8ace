import type { Limits } from '../../../../contract/limits.ts'
import type { EventId, RoomId, SpeakerId } from '../../../core/ids.ts'
import type { WriteScope } from '../../../scope.ts'
import { type Activity, addEvent, cancelEvent, findSchedule, listAllEvents, updateEvent } from '../../program/events.ts'
import type { RecordWrite } from '../../revisions/record-revision.ts'
import { applyPart } from '../program/program-apply.ts'
import { loadParts } from '../program/program-parts-plan.ts'
import type { References } from './corrected-texts.ts'
import { type PlannedCorrection, planCorrections } from './corrections-plan.ts'
import type { ExportedEvent } from './exported-events.ts'

/**
 * Prepares the writes of a corrected export, in the transaction of `scope`. The plan is recomputed within it.
 * @param source of new events whose row names none
 */
export async function prepareCorrections(
  scope: WriteScope,
  source: string,
  rows: readonly ExportedEvent[],
  limits: Limits,
): Promise<{ writes: RecordWrite[] }> {
  const plan = planCorrections(rows, await listAllEvents(scope.db), await loadParts(scope.db), source, limits)
  const changed = plan.corrections.filter(({ change }) => change !== 'unchanged')
  return {
    // Rooms and speakers first, since events refer to them.
    writes: [
      ...plan.parts.map((part) => ({ kind: part.kind, id: part.id, write: () => applyPart(scope, part) })),
      ...changed.map((planned) => ({
        kind: 'event' as const,
        id: planned.event.id,
        write: () => applyCorrection(scope, planned),
      })),
    ],
  }
}

const toIds = ({ inRoom, people, ...rest }: References) => ({
  ...rest,
  ...(inRoom && { room_id: (inRoom.id ?? null) as RoomId | null }),
  ...(people && { speakers: people.flatMap(({ id }) => (id === undefined ? [] : [id as SpeakerId])) }),
})

async function applyCorrection(
  scope: WriteScope,
  { change, correction, event, title, references }: PlannedCorrection,
): Promise<EventId> {
  const {
    location_name: _1,
    location_address: _2,
    venue: _3,
    speaker: _4,
    position: _5,
    company: _6,
    ...own
  } = correction
  const values = { ...own, ...('inRoom' in references && { room_id: null }), ...toIds(references) }
  if (event.id === undefined) {
    const dated = { ...values, title, date_from: own.date_from ?? null, date_to: own.date_to ?? null }
    return addEvent(scope, { ...dated, ...event }, itself({ ...own, title }))
  }
  const changed = { ...event, ...correction }
  const schedule = await findSchedule(scope.db, event.id)
  // A schedule with more than the session itself is not part of the file.
  const activities = isSame(schedule, itself(event)) ? itself(changed) : undefined
  if (change === 'cancelled') await cancelEvent(scope, event.id, values, activities)
  else await updateEvent(scope, event.id, values, activities)
  return event.id
}

/** The schedule of an imported session: the session itself. */
const itself = ({
  program_date = '',
  program_time = '',
  title,
}: {
  program_date?: string
  program_time?: string
  title: string
}): Activity[] => (program_date === '' ? [] : [{ date: program_date, time: program_time, title }])

const isSame = (one: readonly Activity[], other: readonly Activity[]): boolean =>
  JSON.stringify(one.map(toTuple)) === JSON.stringify(other.map(toTuple))

const toTuple = ({ date, time, title }: Activity) => [date, time, title]
