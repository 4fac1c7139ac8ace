import ICAL from 'ical.js'
import { dayMs } from '../../../core/time-units.ts'
import { timeOfFields } from '../times/calendar-zones.ts'
import { formatDay, type Wall } from '../times/wall-clock.ts'

/** The properties of an event that repeats, besides its start. */
export interface Recurrence {
  /** Undefined for a rule that cannot be read. */
  rules: (ICAL.Recur | undefined)[]
  others: ICAL.Time[]
  /** Times, and dates of which all times are left out. */
  excluded: ICAL.Time[]
}

export interface ExpansionLimits {
  toWall: (time: ICAL.Time) => Wall
  /** The last start of the other events, for a rule without end. */
  lastStart: Wall | undefined
  /** The most starts of one event. */
  starts: number
  /** Steps of ical.js that are left for the file. */
  steps: { left: number }
}

/** Steps for one rule; ical.js searches for ever for a time that never comes. */
const maxSteps = 5_000

/** A step with BYSETPOS goes through a month. */
const stepsOfMonth = 10

/** Rules of one event; real ones have one. */
const maxRules = 5

/** The starts of an event, with clauses that complete “Session …” if they are not all. */
export function expandEvent(
  start: ICAL.Time,
  { rules, others, excluded }: Recurrence,
  limits: ExpansionLimits,
): { starts: ICAL.Time[]; warnings: Set<string> } {
  const warnings = new Set<string>()
  const byRules = rules.slice(0, maxRules).flatMap((rule) => {
    const { starts, warning } = expandRule(rule, start, limits)
    if (warning) warnings.add(warning)
    return starts
  })
  const times = new Map(
    [...(rules.length === 0 ? [start] : byRules), ...others].map((time) => [time.toUnixTime(), time]),
  )
  const days = new Set(excluded.filter(({ isDate }) => isDate).map(String))
  for (const time of excluded) times.delete(time.toUnixTime())
  const left = [...times.values()].filter((time) => !days.has(time.toString().slice(0, 10)))
  const starts = left.sort((a, b) => a.compare(b)).slice(0, limits.starts)
  if (starts.length < left.length) warnings.add(`repeats more than ${limits.starts} times; only those were imported`)
  return { starts, warnings }
}

const unusable = 'repeats by a rule that cannot be used; only its first time was imported'

function expandRule(
  rule: ICAL.Recur | undefined,
  start: ICAL.Time,
  { toWall, lastStart, starts: limit, steps }: ExpansionLimits,
): { starts: ICAL.Time[]; warning?: string } {
  if (!rule || !isUsable(rule)) return { starts: [start], warning: unusable }
  const isEndless = !rule.count && rule.until === null
  const lastDay = isEndless ? Math.floor((lastStart ?? toWall(start)) / dayMs) : Number.POSITIVE_INFINITY
  placeEnd(rule, start)
  const starts: ICAL.Time[] = []
  let next: ICAL.Time | null
  try {
    const iterator = countSteps(rule.iterator(start), steps, rule.parts.BYSETPOS ? stepsOfMonth : 1)
    next = iterator.next()
    while (next && starts.length < limit && Math.floor(toWall(next) / dayMs) <= lastDay) {
      starts.push(next.clone())
      next = iterator.next()
    }
  } catch {
    return { starts: [start], warning: unusable }
  }
  const last = starts.at(-1)
  if (!last) return { starts: [start], warning: 'repeats by a rule without any time; only its first time was imported' }
  if (isEndless) return { starts, warning: `repeats without end; it was imported up to ${formatDay(toWall(last))}` }
  return next ? { starts, warning: `repeats more than ${limit} times; only those were imported` } : { starts }
}

/** The parts of rules that ical.js expands as RFC 5545 says; it ignores others, or takes some of them for something else. */
const usableParts: Record<string, RegExp> = {
  MINUTELY: /^BY(?:DAY|MONTH|HOUR)$/,
  HOURLY: /^BY(?:DAY|MONTH|MINUTE)$/,
  DAILY: /^BY(?:DAY|MONTH|HOUR|MINUTE)$/,
  WEEKLY: /^BY(?:DAY|MONTH|HOUR|MINUTE)$/,
  MONTHLY: /^BY(?:DAY|MONTHDAY|SETPOS)$/,
  YEARLY: /^$/,
}

function isUsable({ freq, interval, parts }: ICAL.Recur): boolean {
  const names = Object.keys(parts)
  const days = parts.BYDAY ?? []
  return (
    names.every((name) => usableParts[freq]?.test(name)) &&
    // ical.js counts single days, and in a rarer month looks for a fifth Monday without end.
    interval <= (freq === 'MONTHLY' ? 12 : 366) &&
    Object.values(parts).flat().length <= 50 &&
    (freq === 'MONTHLY' || days.every((day) => /^[A-Z]/.test(String(day)))) &&
    (!names.includes('BYSETPOS') || (days.length > 0 && !names.includes('BYMONTHDAY')))
  )
}

/** An end in UTC is an instant; any other is in the zone of the start, and a date includes its whole day. */
function placeEnd(rule: ICAL.Recur, { zone }: ICAL.Time): void {
  const { until } = rule
  if (until?.isDate) rule.until = timeOfFields(Date.parse(`${until}T23:59:59Z`), zone)
  else if (until && until.zone !== ICAL.Timezone.utcTimezone) until.zone = zone
}

/** Makes an iterator fail after too many steps; ical.js calls this check in each of them. */
function countSteps(iterator: ICAL.RecurIterator, steps: { left: number }, weight: number): ICAL.RecurIterator {
  const check = iterator.check_contracting_rules.bind(iterator)
  let own = maxSteps
  iterator.check_contracting_rules = () => {
    own -= weight
    steps.left -= weight
    if (own < 0 || steps.left < 0) throw new Error('The rule takes too many steps.')
    return check()
  }
  return iterator
}
