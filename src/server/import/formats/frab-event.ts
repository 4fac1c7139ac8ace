import type { SourceSpeaker } from '../source.ts'
import { quoted } from './clean.ts'
import type { SessionList } from './session-list.ts'
import { type Refusal, type Times, timesByDuration } from './session-times.ts'
import { dayMs, formatDay, formatWall, type ReadTimestamp, readClock, readIsoDate } from './wall-clock.ts'

/** An event of a frab schedule, as its XML and its JSON both have it; absent texts are `''`. */
export interface FrabEvent {
  line: number
  guid: string
  code: string
  id: string
  /** ISO timestamp. Old exports leave it out and give only `start`. */
  date: string
  /** `HH:MM` */
  start: string
  /** `HH:MM` */
  duration: string
  title: string
  subtitle: string
  abstract: string
  description: string
  room: string
  status: string
  speakers: SourceSpeaker[]
}

/** A conference day, which ends some hours after midnight. */
export interface FrabDay {
  /** `YYYY-MM-DD`, or `''` when the day does not say. */
  date: string
  /** ISO timestamp at which it ends, or `''`. */
  end: string
}

/** Puts an event on the list; its day is the one that it stands under, which for 02:00 is the day before. */
export function addFrabEvent(list: SessionList, read: ReadTimestamp, day: FrabDay, event: FrabEvent): void {
  const { line, guid, code, id, title, subtitle, speakers, room, abstract, description, status } = event
  const times = frabTimes(read, day, event)
  const stated = readClock(event.start)
  if (typeof times !== 'string' && stated !== undefined && stated !== times.start % dayMs) {
    const taken = formatWall(times.start)
    list.problem(
      line,
      `The session ${quoted(title)} says that it starts at ${event.start} and at ${taken}; the latter was taken.`,
    )
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

function frabTimes(read: ReadTimestamp, day: FrabDay, event: FrabEvent): Times | Refusal {
  const start = event.date === '' ? undefined : read(event.date)
  if (start !== undefined) return timesByDuration(start, event.duration)
  const isDateOnly = event.date.length === 10
  const date = readIsoDate(isDateOnly ? event.date : day.date)
  if (event.date !== '' && !(isDateOnly && date !== undefined)) {
    return `starts at ${quoted(event.date)}, which is not a date and time`
  }
  if (event.start.trim() === '') return 'has no start time'
  const clock = readClock(event.start)
  if (clock === undefined) return `starts at ${quoted(event.start)}, which is not a time`
  if (date === undefined) return 'has a start time but no date'
  // With only the conference day known, a time before the hour at which that day ends is after midnight.
  const end = read(day.end)
  const isNextDay = event.date === '' && end !== undefined && end > date + dayMs && date + dayMs + clock < end
  return timesByDuration(date + clock + (isNextDay ? dayMs : 0), event.duration)
}
