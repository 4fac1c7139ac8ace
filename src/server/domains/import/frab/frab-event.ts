import { dayMs } from '../../../core/time-units.ts'
import type { SessionList } from '../sessions/session-list.ts'
import { type Times, type TimesError, timesByDuration } from '../sessions/session-times.ts'
import type { RawSpeaker } from '../sessions/speakers.ts'
import type { Venue } from '../sessions/venue-clock.ts'
import { quote } from '../text/clean.ts'
import type { createScheduleDurations } from '../times/duration.ts'
import { formatDay, formatWall, readClock, readIsoDate } from '../times/wall-clock.ts'

/** An event of a frab schedule, the same for XML and JSON; missing texts are `''`. */
export interface FrabEvent {
  line: number
  guid: string
  code: string
  id: string
  /** ISO timestamp. Old exports have only `start`. */
  date: string
  /** `HH:MM` */
  start: string
  /** `HH:MM` or `D:HH:MM` */
  duration: string
  title: string
  subtitle: string
  abstract: string
  description: string
  room: string
  status: string
  speakers: RawSpeaker[]
}

/** A conference day, which may end some hours after midnight. */
export interface FrabDay {
  /** `YYYY-MM-DD`, or `''` if missing. */
  date: string
  /** ISO timestamp, or `''`. */
  end: string
  /** `HH:MM`: without an end, the time after midnight at which every conference day ends; or `''`. */
  dayChange: string
}

/** The properties that all events of a schedule share. */
export interface FrabSchedule {
  list: SessionList
  venue: Venue
  readDuration: ReturnType<typeof createScheduleDurations>
}

/** Adds an event to the list, on the conference day that it is listed under: for 02:00 that is the day before. */
export function addFrabEvent({ list, venue, readDuration }: FrabSchedule, day: FrabDay, event: FrabEvent): void {
  const { line, guid, code, id, title, subtitle, speakers, room, abstract, description, status } = event
  const { duration, reading } = readDuration(event.duration)
  const times = frabTimes(venue, day, { ...event, duration })
  if (reading !== undefined)
    list.warn(line, `The duration ${quote(event.duration)} of session ${quote(title)} ${reading}.`)
  const clock = readClock(event.start)
  if (typeof times !== 'string' && clock !== undefined && clock !== times.start % dayMs) {
    const used = formatWall(times.start)
    list.warn(line, `Session ${quote(title)} has two start times, ${event.start} and ${used}; the latter was used.`)
  }
  const date = readIsoDate(day.date)
  list.add({
    line,
    ids: [guid, code, id],
    title,
    subtitle,
    speakers,
    room,
    day: date === undefined ? '' : formatDay(date),
    times,
    abstract,
    long: description,
    status,
  })
}

function frabTimes({ read, zone }: Venue, day: FrabDay, event: FrabEvent): Times | TimesError {
  const start = event.date === '' ? undefined : read(event.date)
  if (start !== undefined) return timesByDuration(start, event.duration, zone, event.date)
  const isDateOnly = event.date.length === 10
  const date = readIsoDate(isDateOnly ? event.date : day.date)
  if (event.date !== '' && !(isDateOnly && date !== undefined)) {
    return `starts at ${quote(event.date)}, which is not a valid date and time`
  }
  if (event.start.trim() === '') return 'has no start time'
  const clock = readClock(event.start)
  if (clock === undefined) return `starts at ${quote(event.start)}, which is not a valid time`
  if (date === undefined) return 'has a start time but no date'
  // Without a date of its own, a time before the hour at which the conference day ends is after midnight.
  const end = read(day.end) ?? date + dayMs + (readClock(day.dayChange) ?? 0)
  const isNextDay = event.date === '' && end > date + dayMs && date + dayMs + clock < end
  return timesByDuration(date + clock + (isNextDay ? dayMs : 0), event.duration, zone, '')
}
