import type { Limits } from '../../contract/limits.ts'
import { type Activity, addEvent, cancelEvent, findSchedule, listAllEvents, updateEvent } from '../program/events.ts'
import type { WriteScope } from '../scope.ts'
import { type CorrectionsPlan, type PlannedCorrection, planCorrections } from './corrections-plan.ts'
import type { ExportedEvent } from './exported-events.ts'

/**
 * Applies a corrected export, in the transaction of `scope`. The plan is recomputed within it.
 * @param source of new events whose row names none
 * @param onProgress called after each row
 */
export async function applyCorrections(
  scope: WriteScope,
  source: string,
  rows: readonly ExportedEvent[],
  limits: Limits,
  onProgress: (done: number, all: number) => void,
): Promise<CorrectionsPlan> {
  const plan = planCorrections(rows, await listAllEvents(scope.db), source, limits)
  for (const [index, planned] of plan.corrections.entries()) {
    if (planned.change !== 'unchanged') await applyCorrection(scope, planned)
    onProgress(index + 1, plan.corrections.length)
  }
  return plan
}

async function applyCorrection(
  scope: WriteScope,
  { change, correction, event, title }: PlannedCorrection,
): Promise<void> {
  if (event.id === undefined) {
    const values = {
      ...correction,
      title,
      date_from: correction.date_from ?? null,
      date_to: correction.date_to ?? null,
    }
    await addEvent(scope, { ...values, source: event.source, source_key: event.source_key }, itself(values))
    return
  }
  const changed = { ...event, ...correction }
  const schedule = await findSchedule(scope.db, event.id)
  // A schedule with more than the session itself is not part of the file.
  const activities = isSame(schedule, itself(event)) ? itself(changed) : undefined
  if (change === 'cancelled') await cancelEvent(scope, event.id, correction, activities)
  else await updateEvent(scope, event.id, correction, activities)
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
