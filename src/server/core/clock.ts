import { uptime } from 'node:os'
import { unsetTimestamp } from '../../contract/envelope.ts'
import { createCache } from './create-cache.ts'
import { dayMs, hourMs, minuteMs } from './time-units.ts'

/** Returns the current time in milliseconds since the epoch; tests inject their own. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()

/** Milliseconds since the machine started, also while it slept: setting the clock does not change them. */
export const machineUptime: Clock = () => uptime() * 1000

/** Notices that the clock was set by more than an hour, also in small steps, while this process was running. */
export class ClockWatch {
  readonly #uptime: Clock
  /** The time of the clock when the machine started, as long as nobody has set it. */
  #startedAt: number | undefined

  constructor(uptime: Clock) {
    this.#uptime = uptime
  }

  /** The milliseconds by which the clock was set forward since the first call, or since {@link accept}; negative for back. */
  findStep(now: number): number {
    const startedAt = now - this.#uptime()
    this.#startedAt ??= startedAt
    const step = startedAt - this.#startedAt
    return Math.abs(step) > hourMs ? step : 0
  }

  /** Takes the clock for right. */
  accept(now: number): void {
    this.#startedAt = now - this.#uptime()
  }
}

/** The clocks of several servers may differ by this much. */
const toleranceMs = minuteMs

/** Whether a stored time lies in the future: the clock is wrong now, or was when it was stored. */
export const isFuture = (at: number, now: number): boolean => at > now + toleranceMs

const quarterHour = 15 * 60 * 1000

const maxEntries = 10_000

/**
 * Creates a function that formats a time as `YYYY-MM-DD HH:MM:SS` in `timeZone`; 0 becomes all zeros.
 * UTC offsets only change on quarter hours, so each quarter hour's offset is looked up once and the rest is arithmetic.
 * A page of a list has a hundred timestamps; formatting them with `Intl` would cost more than the rest of the page.
 * @param timeZone an IANA name
 */
export function timestampFormatter(timeZone: string): (ms: number) => string {
  const offsets = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  const offsetOf = (slot: number): number =>
    parseOffset(offsets.formatToParts(slot * quarterHour).find((part) => part.type === 'timeZoneName')?.value ?? '')
  const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, -14)
  const offsetsBySlot = createCache(maxEntries, offsetOf)
  const datesByDay = createCache(maxEntries, dateOf)
  const format = (ms: number): string => {
    const local = ms + offsetsBySlot.memo(Math.floor(ms / quarterHour))
    const day = Math.floor(local / dayMs)
    const seconds = Math.floor((local - day * dayMs) / 1000)
    return `${datesByDay.memo(day)} ${pad(seconds / 3600)}:${pad((seconds / 60) % 60)}:${pad(seconds % 60)}`
  }
  let lastSecond = Number.NaN
  let lastText = ''
  return (ms) => {
    if (ms === 0) return unsetTimestamp
    const second = Math.floor(ms / 1000)
    // Every response has the current time.
    if (second !== lastSecond) lastText = format(ms)
    lastSecond = second
    return lastText
  }
}

/**
 * The time that local clocks show at an instant, as if they were in UTC; both in milliseconds since 1970.
 * @param timestamp formats a time in the local zone
 */
export const toLocal = (instant: number, timestamp: (ms: number) => string): number =>
  // At 0, it would format an unset time.
  Date.parse(`${timestamp(instant || 1).replace(' ', 'T')}Z`)

/**
 * The instant at which local clocks show the time that `utc` has in UTC: the first of two, where clocks were set back. A
 * time that clocks skip is read with the offset before the change.
 * @param utc whole seconds, in milliseconds since 1970
 * @param timestamp formats a time in the local zone
 */
export function fromLocal(utc: number, timestamp: (ms: number) => string): number {
  const offsetAt = (instant: number): number => toLocal(instant, timestamp) - instant
  const beforeChange = utc - offsetAt(utc - dayMs)
  const offset = offsetAt(beforeChange)
  const afterChange = utc - offset
  return offsetAt(afterChange) === offset ? afterChange : beforeChange
}

/**
 * The time on local clocks, with their offset from UTC (RFC 3339): `2030-05-02T09:00:00+02:00`.
 * @param utc the time in UTC at which they would show the same, in milliseconds since 1970
 * @param instant at which they show it
 */
export function formatWithOffset(utc: number, instant: number): string {
  const minutes = Math.round((utc - instant) / minuteMs)
  const [hour, minute] = [Math.abs(minutes) / 60, Math.abs(minutes) % 60]
  return `${new Date(utc).toISOString().slice(0, 19)}${minutes < 0 ? '-' : '+'}${pad(hour)}:${pad(minute)}`
}

/**
 * Parses a date or time, in the zone of a formatter unless it has an offset of its own.
 * @param text `YYYY-MM-DD`, or with a time as `YYYY-MM-DD HH:MM:SS` or `YYYY-MM-DDTHH:MM±HH:MM`
 * @returns milliseconds since 1970; undefined if it is neither
 */
export function parseTime(text: string, timestamp: (ms: number) => string): number | undefined {
  const [, day = '', time = '00:00', offset] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? []
  const at = Date.parse(`${day}T${time}${offset ?? 'Z'}`)
  if (Number.isNaN(at) || !isDay(day)) return undefined
  return offset === undefined ? fromLocal(at, timestamp) : at
}

/** Whether a text is the date of a day that exists, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${text}T`)
}

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))
const pad = (number: number): string => twoDigits[Math.floor(number)] ?? ''

/** Converts `GMT+05:30` to milliseconds; plain `GMT` is 0. */
function parseOffset(name: string): number {
  const match = /GMT([+-])(\d{2}):(\d{2})(?::(\d{2}))?/.exec(name)
  if (!match) return 0
  const [, sign, hours, minutes, seconds = '0'] = match
  return (sign === '-' ? -1 : 1) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
}
