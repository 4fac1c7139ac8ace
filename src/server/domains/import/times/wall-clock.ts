import { fromLocal, timestampFormatter, toLocal } from '../../../core/clock.ts'
import { createCache } from '../../../core/create-cache.ts'
import { hourMs, minuteMs } from '../../../core/time-units.ts'

/**
 * Local time at the venue, in milliseconds as if the venue were in UTC. Program times are never converted, so a number
 * without a zone is enough for comparing and subtracting.
 */
export type Wall = number

/** The wall time of a date and time of day; `undefined` if the date (1970 to 2999) or time does not exist. */
export function wallOf(year: number, month: number, day: number, hour = 0, minute = 0, second = 0): Wall | undefined {
  if (year < 1970 || year > 2999 || hour > 23 || minute > 59 || second > 59) return undefined
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined
}

/** `YYYY-MM-DD HH:MM:SS` */
export const formatWall = (wall: Wall): string => new Date(wall).toISOString().slice(0, 19).replace('T', ' ')

/** `HH:MM` */
export const formatClock = (wall: Wall): string => formatWall(wall).slice(11, 16)

/** `YYYY-MM-DD` */
export const formatDay = (wall: Wall): string => formatWall(wall).slice(0, 10)

/** `Sunday 1 December 2024` */
export const formatLongDay = (wall: Wall): string =>
  new Date(wall).toLocaleDateString('en-GB', { dateStyle: 'full', timeZone: 'UTC' }).replace(',', '')

const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[T ]+(\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?(?:\s*(Z|[+-]\d\d:?\d\d|[+-]\d\d))?)?$/i
const utc = /(?:Z|[+-]00:?(?:00)?)$/i

/** Longer texts are neither dates nor times; many sessions may have the same one. */
const maxLength = 200

const matchIso = (written: string): RegExpExecArray | null =>
  written.length > maxLength ? null : iso.exec(written.trim())

/** Whether an ISO timestamp is in UTC (`Z` or a zero offset). */
export const isUtc = (written: string): boolean => matchIso(written) !== null && utc.test(written.trim())

/** Whether an ISO timestamp has a UTC offset other than zero. */
export const hasOffset = (written: string): boolean => matchIso(written)?.[7] !== undefined && !isUtc(written)

/** The instant of an ISO timestamp in UTC or with an offset, in milliseconds since 1970. */
export function instantOf(written: string): number | undefined {
  const offset = matchIso(written)?.[7]
  const wall = offset === undefined ? undefined : readUnchanged(written)
  if (offset === undefined || wall === undefined) return undefined
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(offset) ?? ['', '+', '0']
  return wall - (sign === '-' ? -1 : 1) * (Number(hours) * hourMs + Number(minutes) * minuteMs)
}

/** The date of an ISO date or timestamp, at midnight, ignoring any offset. */
export function readIsoDate(written: string): Wall | undefined {
  const match = matchIso(written)
  return match ? wallOf(Number(match[1]), Number(match[2]), Number(match[3])) : undefined
}

export type ReadTimestamp = (written: string) => Wall | undefined

/**
 * Creates a reader of ISO 8601 timestamps that returns local time at the venue. An offset is ignored, because exporters
 * write the venue's own. A time in UTC is converted if the zone is known, and used unchanged if not.
 *
 * @param zone IANA name of the conference's time zone, or `''` if unknown
 * @returns the reader, which returns `undefined` for anything but a date with a time
 * @throws RangeError if the zone does not exist
 */
export function createTimestampReader(zone: string): ReadTimestamp {
  if (zone === '') return readUnchanged
  zoneOf(zone)
  return (written) => {
    const wall = readUnchanged(written)
    return wall !== undefined && isUtc(written) ? wallAt(wall, zone) : wall
  }
}

function readUnchanged(written: string): Wall | undefined {
  const match = matchIso(written)
  if (!match || match[4] === undefined) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  return wallOf(year, month, day, hour, minute, second)
}

const zones = createCache(100, timestampFormatter)
const zoneOf = (zone: string) => zones.memo(zone)

/** @throws RangeError if the zone does not exist */
export const wallAt = (instant: number, zone: string): Wall => toLocal(instant, zoneOf(zone))

/**
 * The time that local clocks show when some time has passed: over a change of clock, an hour more or less than the sum.
 *
 * @param length exact time, in milliseconds
 * @param zone IANA name
 * @param instant of the start, if it is known: where clocks are set back, they show the same times twice
 * @throws RangeError if the zone does not exist
 */
export const addExactTime = (
  start: Wall,
  length: number,
  zone: string,
  instant = fromLocal(start, zoneOf(zone)),
): Wall => wallAt(instant + length, zone)

/** Parses a time of day such as `10:30` or `09:00:00` to milliseconds since midnight. */
export function readClock(written: string): number | undefined {
  const match = written.length > maxLength ? null : /^(\d{1,2}):(\d\d)(?::(\d\d))?$/.exec(written.trim())
  if (!match) return undefined
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)]
  return hour > 23 || minute > 59 || second > 59 ? undefined : hour * hourMs + minute * minuteMs + second * 1_000
}
