import type { Schedule } from '../../../../contract/schedule.ts'
import { parseTime, timestampFormatter } from '../../../core/clock.ts'
import { memoize } from '../../../core/memoize.ts'
import { dayMs } from '../../../core/time-units.ts'
import { dateAt } from './program-page.ts'
import { nightEnds, type Slot, slotsOn } from './sessions.ts'

/** A session, or one of its parts, with instants in milliseconds since 1970. */
export interface TimedSlot extends Slot {
  /** The day of the conference. */
  day: string
  start: number
  /** The same as `start` if it is not known when it ends. */
  end: number
}

const timelines = new WeakMap<Schedule, readonly TimedSlot[]>()

/** All that takes place at a known time, in order. Cancelled sessions are not in it. */
export function timelineOf(schedule: Schedule): readonly TimedSlot[] {
  const known = timelines.get(schedule)
  if (known) return known
  const timeline = schedule.days
    .flatMap(({ date }) => slotsOn(schedule, date).flatMap((slot) => timed(slot, date, schedule)))
    .sort((a, b) => a.start - b.start)
  timelines.set(schedule, timeline)
  return timeline
}

function timed(slot: Slot, day: string, { conference }: Schedule): TimedSlot[] {
  const { event, part, time } = slot
  if (event.is_cancelled || time === undefined) return []
  const start = part === undefined ? Date.parse(event.starts_at ?? '') : startOfPart(day, time, conference.time_zone)
  return [{ ...slot, day, start, end: part === undefined ? Date.parse(event.ends_at ?? '') || start : start }]
}

const localTime = memoize(timestampFormatter)

const startOfPart = (day: string, time: string, zone: string): number =>
  parseTime(`${time < nightEnds ? dayAfter(day) : day} ${time}`, localTime(zone)) ?? Number.NaN

const dayAfter = (date: string): string => new Date(Date.parse(`${date}T00:00Z`) + dayMs).toISOString().slice(0, 10)

/** When the next day begins in a zone. */
export const nextMidnight = (instant: number, zone: string): number =>
  parseTime(dayAfter(dateAt(instant, zone)), localTime(zone)) ?? instant + dayMs
