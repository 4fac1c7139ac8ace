import { dayMs } from '../../../core/time-units.ts'
import type { SourceSession } from '../source.ts'
import { formatDay, readIsoDate, type Wall } from '../times/wall-clock.ts'
import type { EventRow } from './session-event.ts'

/** When a session takes place: its day in the program, and its start. */
type Slot = Pick<EventRow, 'program_date' | 'date_from'>

export const slotOf = ({ day, startsAt }: SourceSession): Slot => ({ program_date: day, date_from: startsAt })

/** Before this time of day, a session may end the day before. */
const nightEndsAt = '06:00'

/**
 * Creates a function that returns the conference day of a session, `YYYY-MM-DD`. Many files name no day, only a start:
 * a party at 01:00 then counts for the day before, if that has sessions. Otherwise the file of one day would speak for
 * the next.
 * @param slots all sessions of the program or file
 */
export function createDayReader(slots: readonly Slot[]): (slot: Slot) => string {
  const days = new Set(slots.filter((slot) => !isAtNight(slot)).map(({ program_date }) => program_date))
  return (slot) => {
    const eve = isAtNight(slot) ? dayBefore(slot.program_date) : undefined
    return eve !== undefined && days.has(eve) ? eve : slot.program_date
  }
}

/** Whether a session is listed under the date of its start, which is at night. */
function isAtNight({ program_date, date_from }: Slot): boolean {
  const [date = '', time = ''] = (date_from ?? '').split(' ')
  return date === program_date && time < nightEndsAt
}

function dayBefore(day: string): string | undefined {
  const wall = readIsoDate(day)
  return wall === undefined ? undefined : formatDay(wall - dayMs)
}

/** The days on which events start, each once; without cancelled events. */
export function daysOfEvents(events: readonly EventRow[]): Wall[] {
  const takingPlace = events.filter(({ is_cancelled }) => is_cancelled === 0)
  const days = new Set(takingPlace.map(({ date_from }) => (date_from ?? '').slice(0, 10)))
  return [...days].flatMap((day) => readIsoDate(day) ?? [])
}
