import type { Limits } from '../../../../contract/limits.ts'
import type { EventId } from '../../../core/ids.ts'
import type { WriteScope } from '../../../scope.ts'
import { type Activity, addEvent, cancelEvent, findSchedule, listAllEvents, updateEvent } from '../../program/events.ts'
import type { RecordWrite } from '../records/record-import.ts'
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
  const { corrections } = planCorrections(rows, await listAllEvents(scope.db), source, limits)
  const changed = corrections.filter(({ change }) => change !== 'unchanged')
  return { writes: changed.map((planned) => ({ id: planned.event.id, write: () => applyCorrection(scope, planned) })) }
}

async function applyCorrection(
  scope: WriteScope,
  { change, correction, event, title }: PlannedCorrection,
): Promise<EventId> {
  if (event.id === undefined) {
    const values = {
      ...correction,
      title,
      date_from: correction.date_from ?? null,
      date_to: correction.date_to ?? null,
    }
    return addEvent(scope, { ...values, source: event.source, source_key: event.source_key }, itself(values))
  }
  const changed = { ...event, ...correction }
  const schedule = await findSchedule(scope.db, event.id)
  // A schedule with more than the session itself is not part of the file.
  const activities = isSame(schedule, itself(event)) ? itself(changed) : undefined
  if (change === 'cancelled') await cancelEvent(scope, event.id, correction, activities)
  else await updateEvent(scope, event.id, correction, activities)
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
