import ICAL from 'ical.js'
import { dayMs } from '../../core/time-units.ts'
import { formatDay, type Wall } from './wall-clock.ts'

/** The starts of an event that repeats, with a clause that completes “Session …” if they are not all. */
export interface Occurrences {
  starts: Wall[]
  warning?: string
}

/**
 * Expands a rule that repeats daily or weekly. Others are not of a conference, and some would take ical.js for ever.
 *
 * @param lastStart the last start of the other events, for a rule without end
 * @param limit the most starts to return
 */
export function expandRule(rule: string, start: Wall, lastStart: Wall | undefined, limit: number): Occurrences {
  const recur = readRule(rule)
  if (!recur)
    return { starts: [start], warning: 'repeats by a rule that cannot be used; only its first time was imported' }
  const isEndless = recur.count === null && recur.until === null
  const last = isEndless ? (lastStart ?? start) : Number.POSITIVE_INFINITY
  const starts: Wall[] = []
  const iterator = recur.iterator(toTime(start))
  let next = iterator.next()
  while (next && starts.length < limit && toWall(next) <= Math.floor(last / dayMs) * dayMs + dayMs - 1) {
    starts.push(toWall(next))
    next = iterator.next()
  }
  if (isEndless)
    return { starts, warning: `repeats without end; it was imported up to ${formatDay(starts.at(-1) ?? start)}` }
  if (!next) return { starts }
  return { starts, warning: `repeats more than ${limit} times; only those were imported` }
}

function readRule(rule: string): ICAL.Recur | undefined {
  const parts = new Map(
    rule
      .toUpperCase()
      .split(';')
      .map((part) => part.split('=', 2) as [string, string | undefined]),
  )
  const interval = Number(parts.get('INTERVAL') ?? 1)
  const byDay = parts.get('BYDAY')
  const isSupported =
    [...parts.keys()].every((name) => ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'WKST'].includes(name)) &&
    Number.isInteger(interval) &&
    interval >= 1 &&
    interval <= 366 &&
    (parts.get('FREQ') === 'WEEKLY' || (parts.get('FREQ') === 'DAILY' && (byDay === undefined || interval === 1))) &&
    (byDay === undefined || /^(?:SU|MO|TU|WE|TH|FR|SA)(?:,(?:SU|MO|TU|WE|TH|FR|SA))*$/.test(byDay))
  if (!isSupported) return undefined
  try {
    // An end in UTC would be compared with local time; the day is enough for rules that repeat by days.
    return ICAL.Recur.fromString(rule.replace(/(UNTIL=\d{8})(?:T\w*)?/i, '$1T235959'))
  } catch {
    return undefined
  }
}

const toTime = (wall: Wall): ICAL.Time => {
  const date = new Date(wall)
  return new ICAL.Time(
    {
      ...{ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() },
      ...{ hour: date.getUTCHours(), minute: date.getUTCMinutes(), second: date.getUTCSeconds(), isDate: false },
    },
    ICAL.Timezone.localTimezone,
  )
}

const toWall = ({ year, month, day, hour, minute, second }: ICAL.Time): Wall =>
  Date.UTC(year, month - 1, day, hour, minute, second)
