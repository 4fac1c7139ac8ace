import ICAL from 'ical.js'
import { quote } from '../../../core/clean-text.ts'
import type { ReadingOptions } from '../sessions/reading-options.ts'
import type { SessionList } from '../sessions/session-list.ts'
import { assumedZone, utcWithoutZone } from '../sessions/venue-clock.ts'
import { createZoneFinder, fieldsOf } from '../times/calendar-zones.ts'
import type { Wall } from '../times/wall-clock.ts'
import { type CalendarComponent, textIn } from './icalendar-components.ts'

export interface CalendarClock {
  /**
   * The time of a property, or the start of a period; undefined if it is neither.
   * @param zone of a time without one; by default that of the venue
   */
  read(line: number, property: ICAL.Property | null, zone?: ICAL.Timezone): ICAL.Time | undefined
  /** The local time at the venue. */
  toWall(time: ICAL.Time): Wall
  /** The local time at the venue, after some days of the calendar and some seconds of exact time. */
  later(time: ICAL.Time, days: number, seconds: number): Wall
}

/**
 * Creates the clock of the venue for one file. Its zone is that of the calendar, else the one in which most events
 * start, else that of the summit. If all events start in one zone, it is that of the venue, whatever the calendar's.
 */
export function createCalendarClock(
  list: SessionList,
  components: readonly CalendarComponent[],
  options: ReadingOptions,
): CalendarClock {
  const named = (name: string) => components.filter(({ component }) => component.name === name)
  const definitions = named('vtimezone').map(({ component }) => component)
  const findZone = createZoneFinder(definitions)
  // `TZID=UTC` is the same as `Z`: it says nothing about the venue.
  const utcZone = findZone('UTC')
  const starts = named('vevent').flatMap(({ line, component }) => {
    const property = component.getFirstProperty('dtstart')
    const zone = property ? findZone(zoneId(property)) : undefined
    const isInUtc = isUtc(property?.getFirstValue()) || (zone !== undefined && zone === utcZone)
    return [{ line, zone: isInUtc ? undefined : zone, isInUtc }]
  })
  const byZone = [...Map.groupBy(starts, ({ zone }) => zone)]
    .flatMap(([zone, { length, 0: first }]) => (zone && first ? [{ zone, length, line: first.line }] : []))
    .sort((a, b) => b.length - a.length)
  const inCalendar = (name: string) =>
    named('vcalendar')
      .map(({ component }) => textIn(component, name))
      .find((id) => id !== '') ?? ''
  const [definition, ...others] = definitions
  const zone =
    findZone(inCalendar('x-wr-timezone')) ??
    byZone[0]?.zone ??
    findZone(definition && others.length === 0 ? textIn(definition, 'tzid') : inCalendar('vtimezone'))
  const hasUtc = starts.some(({ isInUtc }) => isInUtc)
  const [only, ...further] = byZone
  const ofFile = only && further.length === 0 && !hasUtc ? only.zone : zone
  const venue = ofFile ?? findZone(assumedZone(options)?.name ?? '')

  const foreign = byZone.filter(({ zone }) => zone !== venue)
  if (venue && foreign[0]) {
    const names = [venue, ...foreign.map(({ zone }) => zone)].slice(0, 5).map(({ tzid }) => tzid)
    list.warn(
      foreign[0].line,
      `Times are in several time zones (${names.join(', ')}); they were converted to ${venue.tzid}.`,
    )
  }
  if (!findZone(inCalendar('x-wr-timezone')) && inCalendar('x-wr-timezone') !== '')
    list.warn(
      1,
      `Unknown time zone ${quote(inCalendar('x-wr-timezone'))}; ${venue ? `${venue.tzid} was used` : 'times were used unchanged'}.`,
    )

  const zoneOf = (line: number, property: ICAL.Property): ICAL.Timezone | undefined => {
    const id = zoneId(property)
    const zone = findZone(id)
    if (zone || id === '') return zone
    const local = venue ? `those of ${venue.tzid}` : 'local times'
    list.warnOnce(
      line,
      `The time zone ${quote(id)} is neither known nor defined in the file; its times were taken as ${local}.`,
    )
    return venue
  }
  const wallAt = (instant: number): Wall => (venue ? venue.toWall(instant) : instant)
  return {
    read(line, property, zone) {
      const value = property?.getFirstValue()
      const time = value instanceof ICAL.Period ? value.start : value
      if (!property || !(time instanceof ICAL.Time)) return undefined
      if (!isUtc(time)) time.zone = zoneOf(line, property) ?? zone ?? venue ?? ICAL.Timezone.localTimezone
      if (!isUtc(time) && time.zone !== utcZone) return time
      if (!venue) list.warnOnce(1, utcWithoutZone)
      else if (fieldsOf(time) !== wallAt(time.toUnixTime() * 1_000))
        list.setReading(`Times in UTC were converted to ${venue.tzid}${ofFile ? '' : ', the time zone of the summit'}.`)
      return time
    },
    // As written, even if clocks skip it.
    toWall: (time) => (time.zone === venue ? fieldsOf(time) : wallAt(time.toUnixTime() * 1_000)),
    later(time, days, seconds) {
      const then = time.clone()
      then.adjust(days, 0, 0, 0)
      return wallAt((then.toUnixTime() + seconds) * 1_000)
    },
  }
}

const zoneId = (property: ICAL.Property): string => String(property.getFirstParameter('tzid') ?? '')

const isUtc = (value: unknown): boolean => value instanceof ICAL.Time && value.zone === ICAL.Timezone.utcTimezone
