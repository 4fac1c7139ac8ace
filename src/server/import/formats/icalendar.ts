import type { Limits } from '../../../contract/limits.ts'
import type { ParsedProgram } from '../source.ts'
import { quote } from './clean.ts'
import { type Calendar, type CalendarComponent, splitCalendar } from './icalendar-lines.ts'
import { readProperty, textOf } from './icalendar-property.ts'
import { expandRule } from './icalendar-recurrence.ts'
import { zoneOf } from './icalendar-zone.ts'
import { createSessionList, type SessionList } from './session-list.ts'
import { type Times, type TimesError, timesByTimestamps } from './session-times.ts'
import { createVenueClock } from './venue-clock.ts'
import { formatWall, type ReadTimestamp, type Wall } from './wall-clock.ts'

/** Times that one event is imported; a conference has a few days. */
const maxOccurrences = 100
/** Sessions of a file that come from repeating others. */
const maxRepeats = 2_000

/** An event of a calendar. */
interface CalendarEvent {
  line: number
  uid: string
  /** The start of the occurrence that this event replaces, or `''`. */
  recurrenceId: string
  rules: string[]
  excluded: ReadonlySet<string>
  title: string
  room: string
  text: string
  status: string
  speakers: string[]
  times: Times | TimesError
}

/** Whether a text is an iCalendar file, also with text before its beginning. */
export const isICalendar = (text: string): boolean => /^\s*BEGIN:VCALENDAR\s*$/im.test(text.slice(0, 1_000))

/**
 * Reads an iCalendar file, also a malformed one. Properties are read by ical.js, one at a time, so that one that cannot
 * be read does not spoil the others.
 */
export function parseICalendar(text: string, limits: Limits): ParsedProgram {
  const list = createSessionList('iCalendar', limits)
  const calendar = splitCalendar(text)
  const components = calendar.components.filter(({ name }) => name === 'VEVENT')
  warnAboutLines(list, calendar, components)
  const read = createVenueClock(list, zoneOf(list, calendar, components), 1)
  const events = components.map((component) => readEvent(component, read))
  const ambiguous = ambiguousUids(list, events)
  const replaced = new Set(events.map(({ uid, recurrenceId }) => `${uid}/${recurrenceId}`))
  const starts = events.flatMap(({ times, rules }) =>
    typeof times === 'string' || rules.length > 0 ? [] : [times.start],
  )
  const lastStart = starts.reduce<Wall | undefined>((last, start) => Math.max(last ?? start, start), undefined)
  let repeats = maxRepeats
  for (const event of events) {
    const limit = Math.max(1, Math.min(maxOccurrences, repeats))
    const expansion = { replaced, lastStart, limit }
    repeats -= addEvent(list, ambiguous.has(event.uid) ? { ...event, uid: '' } : event, expansion)
  }
  return list.finish()
}

/** The UIDs that identify nothing, because events with different titles have them. */
function ambiguousUids(list: SessionList, events: readonly CalendarEvent[]): Set<string> {
  const byUid = Map.groupBy(
    events.filter(({ uid, recurrenceId }) => uid !== '' && recurrenceId === ''),
    ({ uid }) => uid,
  )
  const ambiguous = [...byUid].filter(([, same]) => new Set(same.map(({ title }) => title)).size > 1)
  for (const [uid, same] of ambiguous)
    list.warn(
      same[0]?.line ?? 1,
      `${same.length} events with different titles have the same UID (${uid}); it was ignored, and they are identified by their titles.`,
    )
  return new Set(ambiguous.map(([uid]) => uid))
}

interface Expansion {
  /** The occurrences that have an event of their own, as `uid/stamp`. */
  replaced: ReadonlySet<string>
  /** The last start of an event that does not repeat. */
  lastStart: Wall | undefined
  limit: number
}

/** @returns how many more sessions than one it became */
function addEvent(list: SessionList, event: CalendarEvent, { replaced, lastStart, limit }: Expansion): number {
  const { line, uid, recurrenceId, rules, excluded, title, room, text, status, times } = event
  const add = (id: string, occurrence: Times | TimesError) =>
    list.add({
      ...{ line, ids: [id], title, room, day: '', times: occurrence, abstract: text, long: '', status },
      speakers: event.speakers.map((name) => ({ name, position: '', company: '' })),
    })
  const id = recurrenceId === '' || uid === '' ? uid : `${uid}/${recurrenceId}`
  const [rule] = rules
  if (rule === undefined || typeof times === 'string') {
    add(id, times)
    return 0
  }
  const { starts, warning } = expandRule(rule, times.start, lastStart, limit)
  if (warning) list.warn(line, `Session ${quote(title)} ${warning}.`)
  const length = times.end - times.start
  for (const start of starts) {
    const stamp = compact(formatWall(start))
    if (excluded.has(stamp) || replaced.has(`${uid}/${stamp}`)) continue
    add(start === times.start || uid === '' ? uid : `${uid}/${stamp}`, { start, end: start + length })
  }
  return starts.length - 1
}

/** `20310314T090000`, the digits of a timestamp. */
const compact = (written: string): string => written.replace(/[-:]/g, '').replace(' ', 'T').slice(0, 15)

function readEvent({ line, lines }: CalendarComponent, read: ReadTimestamp): CalendarEvent {
  const all = (name: string) => lines.filter((each) => each.name === name).map(({ text }) => text)
  const value = (name: string) => textOf(all(name)[0])
  const stamp = (name: string) => toIso(value(name))
  const end = stamp('DTEND')
  const start = stamp('DTSTART')
  return {
    line,
    uid: value('UID'),
    recurrenceId: localStamp(value('RECURRENCE-ID'), read),
    rules: all('RRULE').map(textOf),
    excluded: new Set(
      all('EXDATE')
        .flatMap((text) => textOf(text).split(','))
        .map((each) => localStamp(each, read)),
    ),
    title: value('SUMMARY'),
    room: value('LOCATION'),
    text: value('DESCRIPTION'),
    status: value('STATUS'),
    speakers: all('ATTENDEE').flatMap(speakerOf),
    times: /^\d{4}-\d\d-\d\d$/.test(start)
      ? 'has a date but no start time'
      : timesByTimestamps(read, { start, end, duration: value('DURATION') }),
  }
}

/** The start of an occurrence as digits of the local time. */
function localStamp(written: string, read: ReadTimestamp): string {
  const wall = written === '' ? undefined : read(toIso(written))
  return wall === undefined ? '' : compact(formatWall(wall))
}

/** `20310314T0900Z` as an ISO timestamp, other texts unchanged. */
const toIso = (written: string): string =>
  written
    .trim()
    .replace(/^(\d{4})-?(\d\d)-?(\d\d)/, '$1-$2-$3')
    .replace(/T(\d\d):?(\d\d)(?::?(\d\d))?/i, (_, hour, minute, second = '00') => `T${hour}:${minute}:${second}`)

/** Attendees without an address are the speakers, as in the calendars of frab and Pentabarf. Others are guests. */
function speakerOf(text: string): string[] {
  const property = readProperty(text)
  const name = String(property?.parameters.cn ?? '')
  return name === '' || !property || /^mailto:/i.test(property.value.trim()) ? [] : [name]
}

function warnAboutLines(list: SessionList, calendar: Calendar, events: readonly CalendarComponent[]): void {
  const { strays, lines, components } = calendar
  const zone = lines.find(({ name }) => name === 'VTIMEZONE')
  if (zone) list.warn(zone.line, `${quote(zone.text)} is not a property of iCalendar; it was taken as the time zone.`)
  if (strays.count > 0) {
    const subject = strays.count === 1 ? 'This line is' : `${strays.count} lines from here on are`
    list.warn(strays.firstLine, `${subject} neither a property nor indented; added to the text above.`)
  }
  for (const { line } of events.filter(({ isOpen }) => isOpen))
    list.warnOnce(line, 'The event has no END:VEVENT; it was read up to the next one.')
  const others = components.filter(({ name }) => name.startsWith('V') && name !== 'VCALENDAR' && name !== 'VTIMEZONE')
  const names = [...Map.groupBy(others, ({ name }) => name)]
    .slice(0, 5)
    .map(([name, { length }]) => `${length} ${name}`)
  if (events.length === 0 && names.length > 0)
    list.warn(1, `The calendar has no VEVENT, but ${names.join(', ')}. Expected: an event for each session.`)
}
