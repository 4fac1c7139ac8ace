import ICAL from 'ical.js'
import { quote } from '../../../core/clean-text.ts'
import { dayMs } from '../../../core/time-units.ts'
import type { RawSession } from '../sessions/session-list.ts'
import { type TimesError, timesByDuration } from '../sessions/session-times.ts'
import type { RawSpeaker } from '../sessions/speakers.ts'
import { fieldsOf, timeOfFields } from '../times/calendar-zones.ts'
import type { CalendarClock } from './icalendar-clock.ts'
import { type CalendarComponent, textIn } from './icalendar-components.ts'

/** Days of the calendar, and exact time: a day may have 23 or 25 hours (RFC 5545, 3.3.6). */
export interface Length {
  days: number
  seconds: number
}

/** An event of a calendar. */
export interface CalendarEvent {
  line: number
  component: ICAL.Component
  uid: string
  /** The start of the occurrence that this event replaces. */
  recurrenceId: ICAL.Time | undefined
  /** Whether it also changes all later occurrences. */
  changesFollowing: boolean
  sequence: number
  title: string
  room: string
  text: string
  status: string
  speakers: RawSpeaker[]
  tags: string[]
  links: NonNullable<RawSession['links']>
  start: ICAL.Time | TimesError
  length: Length
  /** Clauses that complete “Session …”, each with an assumption made about the end. */
  warnings: string[]
}

/** The time of day of an event on another date. */
export const atTimeOf = (start: ICAL.Time, date: ICAL.Time): ICAL.Time =>
  timeOfFields(fieldsOf(date) + (fieldsOf(start) % dayMs), start.zone)

/**
 * @param isCancelled by the calendar that it is in
 * @param original the event of which this one changes an occurrence
 */
export function readEvent(
  { line, component }: CalendarComponent,
  clock: CalendarClock,
  isCancelled: boolean,
  original?: CalendarEvent,
): CalendarEvent {
  const originalStart = typeof original?.start === 'object' ? original.start : undefined
  const id = component.getFirstProperty('recurrence-id')
  const replaced = clock.read(line, id, originalStart?.zone)
  return {
    ...{ line, component },
    uid: textIn(component, 'uid'),
    recurrenceId: replaced?.isDate && originalStart ? atTimeOf(originalStart, replaced) : replaced,
    changesFollowing: /^THISANDFUTURE$/i.test(String(id?.getFirstParameter('range'))),
    sequence: Number(textIn(component, 'sequence')) || 0,
    title: textIn(component, 'summary') || (original?.title ?? ''),
    room: textIn(component, 'location'),
    // The HTML of Outlook repeats the text, unless there is none.
    text: textIn(component, 'description') || bodyOf(textIn(component, 'x-alt-desc')),
    status: isCancelled ? 'CANCELLED' : textIn(component, 'status'),
    speakers: component.getAllProperties('attendee').flatMap(speakerOf),
    tags: component.getAllProperties('categories').flatMap((property) => property.getValues().map(String)),
    links: [
      { rel: 'page', title: '', url: textIn(component, 'url') },
      ...component.getAllProperties('attach').map(attachmentOf),
    ],
    ...readTimes(line, component, clock, replaced),
  }
}

function readTimes(
  line: number,
  component: ICAL.Component,
  clock: CalendarClock,
  replaced: ICAL.Time | undefined,
): Pick<CalendarEvent, 'start' | 'length' | 'warnings'> {
  const none = { days: 0, seconds: 0 }
  const failed = (start: TimesError) => ({ start, length: none, warnings: [] })
  const written = textIn(component, 'dtstart')
  const start = written === '' ? replaced : clock.read(line, component.getFirstProperty('dtstart'))
  if (written === '' && !start) return failed('has no start time')
  if (start?.isDate) return failed('has a date but no start time')
  if (!start || start.year < 1970 || start.year > 2999)
    return failed(`starts at ${quote(written)}, which is not a valid date and time`)
  const writtenEnd = textIn(component, 'dtend')
  const end = clock.read(line, component.getFirstProperty('dtend'), start.zone)
  if (writtenEnd !== '' && (!end || end.isDate))
    return failed(`ends at ${quote(writtenEnd)}, which is not a valid date and time`)
  if (end && writtenEnd !== '')
    return { start, length: { days: 0, seconds: end.toUnixTime() - start.toUnixTime() }, warnings: [] }
  const duration = component.getFirstPropertyValue('duration')
  if (duration instanceof ICAL.Duration && !duration.isNegative && duration.toSeconds() * 1_000 <= 366 * dayMs)
    return { start, length: lengthOf(duration), warnings: [] }
  const { end: length, warnings = [] } = timesByDuration(0, textIn(component, 'duration'), undefined, '')
  return { start, length: { days: 0, seconds: length / 1_000 }, warnings }
}

export const lengthOf = ({ weeks, days, hours, minutes, seconds }: ICAL.Duration): Length => ({
  days: weeks * 7 + days,
  seconds: (hours * 60 + minutes) * 60 + seconds,
})

/** The content of a document in HTML. */
const bodyOf = (html: string): string => /<body\b[^<>]*>([\s\S]*?)(?:<\/body>|$)/i.exec(html)?.[1] ?? html

/** A file that is in the calendar itself has no URL. */
const attachmentOf = (property: ICAL.Property) => ({
  rel: 'attachment' as const,
  title: String(property.getFirstParameter('filename') ?? ''),
  url: property.type === 'uri' ? String(property.getFirstValue()) : '',
})

/** Attendees without an address are the speakers, as in the calendars of frab and Pentabarf. Others are guests. */
function speakerOf(attendee: ICAL.Property): RawSpeaker[] {
  const name = String(attendee.getFirstParameter('cn') ?? '')
  return name === '' || /^\s*mailto:/i.test(String(attendee.getFirstValue()))
    ? []
    : [{ name, position: '', company: '' }]
}
