import type { Limits } from '../../../../contract/limits.ts'
import { quote } from '../../../core/clean-text.ts'
import { dayMs, minuteMs } from '../../../core/time-units.ts'
import type { ReadingOptions } from '../sessions/reading-options.ts'
import { createSessionList, type RawSession, type SessionList } from '../sessions/session-list.ts'
import { type Times, type TimesError, timesByDuration } from '../sessions/session-times.ts'
import { readUrl } from '../sessions/source-values.ts'
import { createVenue, type Venue } from '../sessions/venue-clock.ts'
import type { SourceLink } from '../source.ts'
import { createScheduleDurations, readDuration } from '../times/duration.ts'
import { formatDay, formatWall, readClock, readIsoDate } from '../times/wall-clock.ts'

/** What a schedule says of its conference, the same for XML and JSON; missing texts are `''`. */
export interface FrabConference {
  /** The line of the time zone, or of the element that would have it. */
  line: number
  /** The text of a member. */
  text(name: string): string
  /** A page of the conference. */
  url: string
  /** Relative URLs in the file are relative to it. */
  base: string
  /** The dates of all days. */
  dates: readonly string[]
  /** The durations of all events. */
  durations: readonly string[]
}

/** An event of a frab schedule, the same for XML and JSON; missing texts are `''`. */
export interface FrabEvent extends Omit<RawSession, 'ids' | 'long' | 'day' | 'times' | 'note'> {
  guid: string
  code: string
  id: string
  /** ISO timestamp. Old exports have only `start`. */
  date: string
  /** `HH:MM` */
  start: string
  /** `HH:MM` or `D:HH:MM` */
  duration: string
  description: string
}

/** A conference day, which may end some hours after midnight. */
export interface FrabDay {
  /** `YYYY-MM-DD`, or `''` if missing. */
  date: string
  /** ISO timestamp, or `''`. */
  end: string
}

/** What is the same for all events of a schedule. */
export interface FrabSchedule {
  list: SessionList
  venue: Venue
  base: string
  /** `HH:MM`: for days without an end, the time after midnight at which they end; or `''`. */
  dayChange: string
  readDuration: ReturnType<typeof createScheduleDurations>
}

/** Creates the schedule to which the events of a file are added. */
export function createFrabSchedule(
  format: 'frab schedule.xml' | 'frab schedule.json',
  { line, text, url, base, dates, durations }: FrabConference,
  limits: Limits,
  options: ReadingOptions,
): FrabSchedule {
  const list = createSessionList(format, limits)
  const timeZone = text('time_zone_name')
  const days = dates.filter((date) => readIsoDate(date) !== undefined).toSorted()
  list.setConference({
    title: text('title'),
    acronym: text('acronym'),
    url: url || base,
    timeZone: timeZone.trim(),
    // Of a conference whose last night ends after midnight, `end` may be the day after the last.
    firstDay: days.at(0) ?? text('start'),
    lastDay: days.at(-1) ?? text('end'),
    slotMinutes: (readDuration(text('timeslot_duration')) ?? 0) / minuteMs,
  })
  return {
    list,
    venue: createVenue(list, timeZone, line, options),
    base: readUrl(base),
    dayChange: text('day_change'),
    readDuration: createScheduleDurations(durations),
  }
}

/** Adds an event to the list, on the conference day that it is listed under: for 02:00 that is the day before. */
export function addFrabEvent(schedule: FrabSchedule, day: FrabDay, event: FrabEvent): void {
  const { list, base, readDuration } = schedule
  const { date: _, start, duration: written, id, description, speakers, links = [], ...session } = event
  const { line, title } = session
  const { duration, reading } = readDuration(written)
  const times = frabTimes(schedule, day, { ...event, duration })
  if (reading !== undefined) list.warn(line, `The duration ${quote(written)} of session ${quote(title)} ${reading}.`)
  const clock = readClock(start)
  if (typeof times !== 'string' && clock !== undefined && clock !== times.start % dayMs) {
    const used = formatWall(times.start)
    list.warn(line, `Session ${quote(title)} has two start times, ${start} and ${used}; the latter was used.`)
  }
  const date = readIsoDate(day.date)
  const resolve = <L extends SourceLink>(link: L): L => ({
    ...link,
    // frab repeats the URL of a link that has no title.
    title: link.title === link.url ? '' : link.title,
    url: resolveUrl(link.url, base),
  })
  list.add({
    ...session,
    ids: [event.guid, event.code, id],
    speakers: speakers.map(({ photo = '', links = [], ...speaker }) => ({
      ...speaker,
      photo: resolveUrl(photo, base),
      links: links.map(resolve),
    })),
    links: links.map(resolve),
    day: date === undefined ? '' : formatDay(date),
    times,
    long: description,
  })
}

/** The members of an event with the URL of one page, by what that page is. */
const pageMembers = [
  ['page', 'url'],
  ['origin', 'origin_url'],
  ['feedback', 'feedback_url'],
  ['recording', 'video_download_url'],
] as const

/** What an event has links in. */
interface FrabLinks {
  /** The text of a member of the event. */
  text(name: string): string
  /** The text of a member of its recording. */
  recording(name: string): string
  attachments: readonly SourceLink[]
  links: readonly SourceLink[]
}

export const frabLinks = ({ text, recording, attachments, links }: FrabLinks) => [
  ...pageMembers.map(([rel, name]) => ({ rel, title: '', url: text(name) })),
  ...['link', 'url'].map((name) => ({ rel: 'recording' as const, title: '', url: recording(name) })),
  ...attachments.map((link) => ({ ...link, rel: 'attachment' as const })),
  ...links.map((link) => ({ ...link, rel: 'related' as const })),
]

/** `/media/a.pdf`, `../a.pdf` and `media/a.pdf`. Without a slash before the first dot it is rather the name of a host. */
const relativeUrl = /^(?:\.{0,2}\/|[\w-]+\/)/

function resolveUrl(written: string, base: string): string {
  const url = written.trim()
  return relativeUrl.test(url) && URL.canParse(url, base) ? new URL(url, base).href : url
}

function frabTimes(
  { venue: { read, zone }, dayChange }: FrabSchedule,
  day: FrabDay,
  event: FrabEvent,
): Times | TimesError {
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
  const end = read(day.end) ?? date + dayMs + (readClock(dayChange) ?? 0)
  const isNextDay = event.date === '' && end > date + dayMs && date + dayMs + clock < end
  return timesByDuration(date + clock + (isNextDay ? dayMs : 0), event.duration, zone, '')
}
