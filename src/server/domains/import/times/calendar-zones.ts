import ICAL from 'ical.js'
import { isTimeZone } from '../../../config/formats.ts'
import { fromLocal } from '../../../core/clock.ts'
import { formatWall, type Wall, wallAt } from './wall-clock.ts'
import { windowsZones } from './windows-zones.ts'

/** A time zone for ical.js, which has no database of its own and converts to a zone only to the hour of a change. */
export class CalendarZone extends ICAL.Timezone {
  /** The local time at an instant; both in milliseconds. */
  readonly toWall: (instant: number) => Wall

  constructor(name: string, toWall: (instant: number) => Wall) {
    super({ tzid: name })
    this.toWall = toWall
  }

  /** In seconds; of a time that clocks skip or show twice, as RFC 5545 has it (3.3.5). */
  override utcOffset(time: ICAL.Time): number {
    const wall = fieldsOf(time)
    return (wall - fromLocal(wall, (instant) => formatWall(this.toWall(instant)))) / 1_000
  }
}

/** The last of some items in the order of time that is not after an instant; undefined if all are. */
export function lastUntil<T>(items: readonly T[], instant: number, timeOf: (item: T) => number): T | undefined {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && timeOf(item) <= instant) low = middle + 1
    else high = middle
  }
  return items[low - 1]
}

/** The date and time of day of a time, whatever its zone. */
export const fieldsOf = ({ year, month, day, hour, minute, second }: ICAL.Time): Wall =>
  Date.UTC(year, month - 1, day, hour, minute, second)

/** A time with this date and time of day. */
export function timeOfFields(wall: Wall, zone: ICAL.Timezone): ICAL.Time {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = formatWall(wall).split(/\D/).map(Number)
  return new ICAL.Time({ year, month, day, hour, minute, second, isDate: false }, zone)
}

/** The same instant in another zone. */
export function inZone(time: ICAL.Time, zone: ICAL.Timezone): ICAL.Time {
  if (time.zone === zone) return time.clone()
  const instant = time.toUnixTime() * 1_000
  return timeOfFields(zone instanceof CalendarZone ? zone.toWall(instant) : instant, zone)
}

/** Parts of the name of a zone: `America/Argentina/Ushuaia`. */
const maxParts = 3

/** Real files have a few zones, with a dozen rules at most. */
const maxDefinitions = 20
const maxRules = 12
const maxIds = 500

/**
 * Creates a function that finds a time zone by the id in a file: in the IANA database, the definitions of the file, and
 * the names of Windows. A known zone is preferred to its definition, which may cover a few years only.
 *
 * @param definitions the VTIMEZONE components of the file
 */
export function createZoneFinder(definitions: readonly ICAL.Component[]): (id: string) => CalendarZone | undefined {
  const defined = new Map(
    definitions.slice(0, maxDefinitions).map((each) => [String(each.getFirstPropertyValue('tzid')).trim(), each]),
  )
  const zones = new Map<string, CalendarZone | undefined>()
  const known = new Map<string, CalendarZone>()
  const findKnown = (id: string) => {
    const name = canonicalName(id)
    if (name === undefined) return undefined
    const zone = known.get(name) ?? new CalendarZone(id, (instant) => wallAt(instant, id))
    known.set(name, zone)
    return zone
  }
  const find = (id: string) => {
    const definition = defined.get(id)
    // Some programs put their own name before the zone: `/freeassociation.sourceforge.net/Europe/Berlin`.
    const slashes = id.startsWith('/') ? [...id.matchAll(/\//g)].slice(-maxParts) : []
    const suffixes = slashes.map(({ index }) => id.slice(index + 1))
    return (
      findKnown(id) ??
      (definition && definedZone(id, definition)) ??
      findKnown(windowsZones[id] ?? '') ??
      suffixes.map(findKnown).find((zone) => zone !== undefined)
    )
  }
  return (id) => {
    const trimmed = id.trim().slice(0, 200)
    if (!zones.has(trimmed) && zones.size < maxIds) zones.set(trimmed, trimmed === '' ? undefined : find(trimmed))
    return zones.get(trimmed)
  }
}

const canonicalName = (id: string): string | undefined =>
  isTimeZone(id) ? new Intl.DateTimeFormat('en', { timeZone: id }).resolvedOptions().timeZone : undefined

/** Definitions begin in 1601 or later; ical.js lists the changes up to this time. */
const horizon = Date.UTC(2100, 0)

/** Whether the changes of a rule are those of a month, at most; otherwise there could be one each day. */
const isOfOneMonth = ({ parts: { BYMONTH = [], BYDAY = [], BYMONTHDAY = [], ...others } }: ICAL.Recur): boolean =>
  Object.keys(others).length === 0 && BYMONTH.length <= 1 && BYDAY.length <= BYMONTH.length && BYMONTHDAY.length <= 7

/** A zone that the file defines; undefined if ical.js cannot read it, or would take long. */
function definedZone(id: string, component: ICAL.Component): CalendarZone | undefined {
  try {
    const observances = component.getAllSubcomponents()
    const listed = observances.flatMap((observance) => observance.getAllProperties('rdate'))
    const rules = observances.map((observance) => observance.getFirstPropertyValue('rrule'))
    if (rules.length + listed.length > 500 || rules.filter((rule) => rule !== null).length > maxRules) return undefined
    for (const rule of rules) {
      if (rule === null) continue
      if (!(rule instanceof ICAL.Recur) || rule.freq !== 'YEARLY' || !isOfOneMonth(rule)) return undefined
      rule.until ??= timeOfFields(horizon, ICAL.Timezone.localTimezone)
    }
    const zone = new ICAL.Timezone({ component, tzid: id })
    zone.utcOffset(timeOfFields(horizon, ICAL.Timezone.localTimezone))
    const changes = zone.changes.map(({ year, month, day, hour, minute, second, utcOffset, prevUtcOffset }) => ({
      at: Date.UTC(year, month - 1, day, hour, minute, second),
      ...{ before: prevUtcOffset * 1_000, after: utcOffset * 1_000 },
    }))
    const [first] = changes
    if (!first) return undefined
    return new CalendarZone(
      id,
      (instant) => instant + (lastUntil(changes, instant, ({ at }) => at)?.after ?? first.before),
    )
  } catch {
    return undefined
  }
}
