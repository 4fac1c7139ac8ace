import ICAL from 'ical.js'
import type { Limits } from '../../../../contract/limits.ts'
import { quote } from '../../../core/clean-text.ts'
import type { ReadingOptions } from '../sessions/reading-options.ts'
import { createSessionList, type SessionList } from '../sessions/session-list.ts'
import type { Times, TimesError } from '../sessions/session-times.ts'
import type { ParsedProgram } from '../source.ts'
import { mostFrequentFirst } from '../text/unused-values.ts'
import { fieldsOf, inZone, lastUntil, timeOfFields } from '../times/calendar-zones.ts'
import { formatWall, type Wall } from '../times/wall-clock.ts'
import { type CalendarClock, createCalendarClock } from './icalendar-clock.ts'
import { type CalendarComponent, readComponents, textIn, unreadNames } from './icalendar-components.ts'
import { atTimeOf, type CalendarEvent, type Length, lengthOf, readEvent } from './icalendar-event.ts'
import { type ExpansionLimits, expandEvent } from './icalendar-recurrence.ts'

/** Times that one event is imported; a conference has a few days. */
const maxOccurrences = 100
/** Sessions of a file that come from repeating others. */
const maxRepeats = 2_000
/** Steps in which rules are expanded, in a file; a second or so. */
const maxSteps = 50_000

/** Whether a text is an iCalendar file, also with text before its beginning. */
export const isICalendar = (text: string): boolean => /^\s*BEGIN:VCALENDAR\s*$/im.test(text.slice(0, 1_000))

/** Reads an iCalendar file, also a malformed one. */
export function parseICalendar(text: string, limits: Limits, options: ReadingOptions): ParsedProgram {
  const list = createSessionList('iCalendar', limits)
  const { components, remarks } = readComponents(text)
  for (const { line, message } of remarks) list.warn(line, message)
  warnAboutComponents(list, components)
  describeCalendar(list, components)
  const clock = createCalendarClock(list, components, options)
  const events = readEvents(list, components, clock)
  const ambiguous = ambiguousUids(list, events)
  const changesOf = new Map(
    [...Map.groupBy(events, ({ uid }) => uid)].map(([uid, related]) => [uid, changesIn(related)]),
  )
  const starts = events.flatMap((event) =>
    typeof event.start === 'string' || isRecurring(event) ? [] : [clock.toWall(event.start)],
  )
  const lastStart = starts.reduce<Wall | undefined>((last, start) => Math.max(last ?? start, start), undefined)
  const steps = { left: maxSteps }
  let repeats = maxRepeats
  for (const event of events) {
    const uid = ambiguous.has(event.uid) ? '' : event.uid
    const expansion = {
      ...{ toWall: clock.toWall, lastStart, steps },
      starts: Math.max(1, Math.min(maxOccurrences, repeats)),
    }
    repeats -= addEvent(list, clock, { ...event, uid }, (uid !== '' && changesOf.get(uid)) || changesIn([]), expansion)
  }
  const ofEvents = components.filter(({ component }) => component.name === 'vevent')
  const unread = Map.groupBy(ofEvents.flatMap(unreadNames), (name) => name)
  const unused = mostFrequentFirst([...unread].map(([name, { length }]) => ({ name, count: length })))
  return { ...list.finish(), unused }
}

/** The name of a calendar is the title of the conference, unless it is the address of whose calendar it is. */
function describeCalendar(list: SessionList, components: readonly CalendarComponent[]): void {
  const calendars = components.filter(({ component }) => component.name === 'vcalendar')
  const find = (...names: string[]) =>
    calendars.flatMap(({ component }) => names.map((name) => textIn(component, name))).find((text) => text !== '') ?? ''
  const title = find('x-wr-calname', 'name')
  list.setConference({ title: /^\S+@\S+$/.test(title) ? '' : title, timeZone: find('x-wr-timezone') })
}

/** The events in the order of the file, without older revisions. */
function readEvents(
  list: SessionList,
  components: readonly CalendarComponent[],
  clock: CalendarClock,
): CalendarEvent[] {
  const all = components.filter(({ component }) => component.name === 'vevent')
  const cancelling = new Set(
    components.filter(({ component }) => isCancelling(component)).map(({ component }) => component),
  )
  const read = (each: CalendarComponent, original?: CalendarEvent) =>
    readEvent(each, clock, cancelling.has(each.calendar), original)
  const [changes = [], originals = []] = [true, false].map((isChange) =>
    all.filter(({ component }) => component.hasProperty('recurrence-id') === isChange),
  )
  const events = withoutOlder(
    list,
    originals.map((each) => read(each)),
  )
  const byUid = new Map(events.toReversed().map((event) => [event.uid, event]))
  const changed = changes.map((each) => read(each, byUid.get(textIn(each.component, 'uid'))))
  return [...events, ...withoutOlder(list, changed)].sort((a, b) => a.line - b.line)
}

/** Whether it is a calendar that cancels its events. */
const isCancelling = (component: ICAL.Component): boolean =>
  component.name === 'vcalendar' && textIn(component, 'method').toUpperCase() === 'CANCEL'

/** Of several revisions of an event, the newest counts. */
function withoutOlder(list: SessionList, events: readonly CalendarEvent[]): CalendarEvent[] {
  const newest = new Map<string, CalendarEvent>()
  const keyOf = ({ uid, recurrenceId }: CalendarEvent) => `${uid}/${recurrenceId?.toUnixTime() ?? ''}`
  for (const event of events)
    if (event.sequence > (newest.get(keyOf(event))?.sequence ?? -1)) newest.set(keyOf(event), event)
  return events.filter((event) => {
    const newer = newest.get(keyOf(event))
    if (event.uid === '' || !newer || newer.sequence === event.sequence) return true
    list.warn(event.line, `A newer revision of ${quote(event.title)} is in line ${newer.line}; this one was left out.`)
    return false
  })
}

/** The UIDs that identify nothing, because events with different titles have them. */
function ambiguousUids(list: SessionList, events: readonly CalendarEvent[]): Set<string> {
  const byUid = Map.groupBy(
    events.filter(({ uid, recurrenceId }) => uid !== '' && !recurrenceId),
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

/** The changes of single occurrences of an event. */
interface Changes {
  /** The instants of those that have an event of their own. */
  replaced: ReadonlySet<number>
  /** The changes that also apply to later occurrences, the last one at the end. */
  following: (CalendarEvent & { recurrenceId: ICAL.Time; start: ICAL.Time })[]
}

/** @param related all events with the same UID */
function changesIn(related: readonly CalendarEvent[]): Changes {
  const changes = related.flatMap(({ recurrenceId, start, ...change }) =>
    recurrenceId && typeof start !== 'string' ? [{ ...change, recurrenceId, start }] : [],
  )
  return {
    replaced: new Set(changes.map(({ recurrenceId }) => recurrenceId.toUnixTime())),
    following: changes
      .filter(({ changesFollowing }) => changesFollowing)
      .sort((a, b) => a.recurrenceId.toUnixTime() - b.recurrenceId.toUnixTime()),
  }
}

/** @returns how many more sessions than one it became */
function addEvent(
  list: SessionList,
  clock: CalendarClock,
  event: CalendarEvent,
  changes: Changes,
  limits: ExpansionLimits,
): number {
  const { line, component, uid, recurrenceId, start } = event
  const add = (id: string, from: CalendarEvent, times: Times | TimesError) =>
    list.add({
      ...{ line: from.line, ids: [id], title: from.title, room: from.room, day: '', times },
      ...{ abstract: from.text, long: '', status: from.status, tags: from.tags, links: from.links, guid: id },
      speakers: from.speakers,
    })
  const timesFrom = (start: ICAL.Time, { days, seconds }: Length): Times => ({
    start: clock.toWall(start),
    end: clock.later(start, days, seconds),
  })
  const occurrenceId = (time: ICAL.Time) =>
    uid === '' ? '' : `${uid}/${formatWall(clock.toWall(time)).replace(/[-:]/g, '').replace(' ', 'T')}`
  if (typeof start === 'string') {
    add(uid, event, start)
    return 0
  }
  if (recurrenceId || !isRecurring(event)) {
    const times = timesFrom(start, event.length)
    add(recurrenceId ? occurrenceId(recurrenceId) : uid, event, { ...times, warnings: event.warnings })
    return 0
  }
  const { others, lengths } = readDates(list, clock, event, start, 'rdate')
  const { starts, warnings } = expandEvent(
    start,
    {
      rules: component.getAllProperties('rrule').map((property) => {
        const rule = property.getFirstValue()
        return rule instanceof ICAL.Recur ? rule : undefined
      }),
      others,
      excluded: readDates(list, clock, event, start, 'exdate').others,
    },
    limits,
  )
  if (component.hasProperty('exrule')) warnings.add('has exceptions by a rule (EXRULE), which were not left out')
  for (const clause of [...event.warnings, ...warnings]) list.warn(line, `Session ${quote(event.title)} ${clause}.`)
  for (const time of starts) {
    const instant = time.toUnixTime()
    if (changes.replaced.has(instant)) continue
    const id = instant === start.toUnixTime() ? uid : occurrenceId(time)
    const change = lastUntil(changes.following, instant, ({ recurrenceId }) => recurrenceId.toUnixTime())
    if (change) {
      const { zone } = change.start
      const shift = fieldsOf(change.start) - fieldsOf(inZone(change.recurrenceId, zone))
      add(id, change, timesFrom(timeOfFields(fieldsOf(inZone(time, zone)) + shift, zone), change.length))
    } else add(id, event, timesFrom(time, lengths.get(instant) ?? event.length))
  }
  return starts.length - 1
}

const isRecurring = ({ component, recurrenceId }: CalendarEvent): boolean =>
  !recurrenceId && (component.hasProperty('rrule') || component.hasProperty('rdate'))

/** The times of RDATE or EXDATE, and by their instants the lengths of those that are periods. */
function readDates(
  list: SessionList,
  clock: CalendarClock,
  { line, component, title }: CalendarEvent,
  start: ICAL.Time,
  name: 'rdate' | 'exdate',
): { others: ICAL.Time[]; lengths: Map<number, Length> } {
  const lengths = new Map<number, Length>()
  const others = component.getAllProperties(name).flatMap((property) => {
    const value = property.getFirstValue()
    const time = clock.read(line, property, start.zone)
    if (!time) {
      const written = quote(String(value))
      list.warn(
        line,
        `Session ${quote(title)} has an ${name.toUpperCase()} that is not a valid date, ${written}; it was ignored.`,
      )
      return []
    }
    // A date has the time of day of the event.
    const other = time.isDate && name === 'rdate' ? atTimeOf(start, time) : time
    if (value instanceof ICAL.Period) lengths.set(other.toUnixTime(), lengthOf(value.getDuration()))
    return [other]
  })
  return { others, lengths }
}

function warnAboutComponents(list: SessionList, components: readonly CalendarComponent[]): void {
  const events = components.filter(({ component }) => component.name === 'vevent')
  for (const { line } of events.filter(({ isOpen }) => isOpen))
    list.warnOnce(line, 'The event has no END:VEVENT; it was read up to the next one.')
  const others = components
    .map(({ component }) => component.name.toUpperCase())
    .filter((name) => name.startsWith('V') && name !== 'VCALENDAR' && name !== 'VTIMEZONE')
  const names = [...Map.groupBy(others, (name) => name)].slice(0, 5).map(([name, { length }]) => `${length} ${name}`)
  if (events.length === 0 && names.length > 0)
    list.warn(1, `The calendar has no VEVENT, but ${names.join(', ')}. Expected: an event for each session.`)
}
