import type { ScheduleDay, ScheduleEvent } from '../../../contract/schedule.ts'
import { isTimeZone } from '../../config/formats.ts'
import { formatWithOffset, fromLocal, timestampFormatter } from '../../core/clock.ts'
import type { Scope } from '../../scope.ts'
import type { Row } from '../../storage/db/tables.ts'

/** A time that local clocks show: in UTC they would show the same at `utc`. Both are milliseconds since 1970. */
interface LocalTime {
  utc: number
  instant: number
}

/** When an event is; null where the program does not say. */
export interface Times {
  day: string | null
  start: LocalTime | null
  end: LocalTime | null
}

/** The zone of the program. */
export const zoneOf = (conference: Row<'conference'> | undefined, { timeZone }: Pick<Scope, 'timeZone'>): string =>
  conference && isTimeZone(conference.time_zone) ? conference.time_zone : timeZone

/**
 * Creates a reader of the times of events. Clocks skip some times and show others twice; see `fromLocal`. An event that
 * would end before it starts for that reason ends with the offset of its start.
 * @param zone an IANA name
 */
export function createTimeReader(zone: string, { timestamp, timeZone }: Scope) {
  const format = zone === timeZone ? timestamp : timestampFormatter(zone)
  // Events share their times, and to find an offset takes longer than to read a row.
  const known = new Map<string, LocalTime>()
  const readTime = (local: string | null): LocalTime | null => {
    const utc = local === null ? Number.NaN : Date.parse(`${local.replace(' ', 'T')}Z`)
    // A time that no clock shows must not take the whole schedule from everyone.
    if (local === null || Number.isNaN(utc)) return null
    const time = known.get(local) ?? { utc, instant: fromLocal(utc, format) }
    known.set(local, time)
    return time
  }
  return ({
    program_date,
    date_from,
    date_to,
  }: Pick<Row<'event'>, 'program_date' | 'date_from' | 'date_to'>): Times => {
    const day = program_date || date_from?.slice(0, 10) || null
    const [start, end] = [readTime(date_from), readTime(date_to)]
    if (!start || !end || end.instant >= start.instant) return { day, start, end }
    return { day, start, end: { utc: end.utc, instant: end.utc - start.utc + start.instant } }
  }
}

/** RFC 3339. */
export const formatTime = (time: LocalTime | null): string | null => time && formatWithOffset(time.utc, time.instant)

/** Creates a formatter of instants in a zone, likewise. @param zone an IANA name */
export function createInstantFormatter(zone: string, { timestamp, timeZone }: Scope): (ms: number) => string {
  const format = zone === timeZone ? timestamp : timestampFormatter(zone)
  return (ms) => formatWithOffset(Date.parse(`${format(ms).replace(' ', 'T')}Z`), Math.floor(ms / 1000) * 1000)
}

interface Timed {
  times: Times
  activities: ScheduleEvent['activities']
}

/** The days of the events and their activities. */
export function toDays(events: readonly Timed[]): ScheduleDay[] {
  const spans = events.flatMap(({ times, activities }): Times[] => [
    // The end of an event that has activities may be days later.
    activities.length > 0 ? { ...times, end: null } : times,
    ...activities.map(({ day }) => ({ day, start: null, end: null })),
  ])
  const spansOf = Map.groupBy(spans, ({ day }) => day)
  const days = [...spansOf.keys()].filter((day) => day !== null).sort()
  return days.map((date) => {
    const ofDay = spansOf.get(date) ?? []
    const starts = inOrder(ofDay.map(({ start }) => start))
    const ends = inOrder(ofDay.map(({ start, end }) => end ?? start))
    return { date, starts_at: formatTime(starts.at(0) ?? null), ends_at: formatTime(ends.at(-1) ?? null) }
  })
}

const inOrder = (times: readonly (LocalTime | null)[]): LocalTime[] =>
  times.filter((time) => time !== null).sort((a, b) => a.instant - b.instant)
