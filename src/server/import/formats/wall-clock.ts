/**
 * A time on the clock at the venue, in milliseconds as though the venue were in UTC. Program times are never shifted, so
 * a number without a zone is all that sorting and subtracting need.
 */
export type Wall = number

export const minuteMs = 60_000
export const hourMs = 3_600_000
export const dayMs = 86_400_000

/** The wall time of a calendar date and time of day, or `undefined` when there is no such day (1970 to 2999) or time. */
export function wallOf(year: number, month: number, day: number, hour = 0, minute = 0, second = 0): Wall | undefined {
  if (year < 1970 || year > 2999 || hour > 23 || minute > 59 || second > 59) return undefined
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined
}

/** `YYYY-MM-DD HH:MM:SS` */
export const formatWall = (wall: Wall): string => new Date(wall).toISOString().slice(0, 19).replace('T', ' ')

/** `YYYY-MM-DD` */
export const formatDay = (wall: Wall): string => formatWall(wall).slice(0, 10)

const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[T ]+(\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?(?:\s*(Z|[+-]\d\d:?\d\d|[+-]\d\d))?)?$/i
const utc = /(?:Z|[+-]00:?(?:00)?)$/i

/** Whether an ISO timestamp says that it is in UTC (`Z` or an offset of zero). */
export const isUtc = (written: string): boolean => utc.test(written.trim()) && iso.test(written.trim())

/** Whether an ISO timestamp says how far from UTC it is, in which case it is the clock of some place. */
export const hasOffset = (written: string): boolean => iso.exec(written.trim())?.[7] !== undefined && !isUtc(written)

/** The calendar date of an ISO date or timestamp as it is written, at midnight. */
export function readIsoDate(written: string): Wall | undefined {
  const match = iso.exec(written.trim())
  return match ? wallOf(Number(match[1]), Number(match[2]), Number(match[3])) : undefined
}

export type ReadTimestamp = (written: string) => Wall | undefined

/**
 * Reads ISO 8601 timestamps as the clock at the venue shows them. One with an offset is taken as written, because
 * exporters write the offset of the venue. One in UTC says nothing about the venue: it is converted when the zone is
 * known, and taken as written when not.
 *
 * @param zone IANA name of the conference's zone, or `''` when the file names none
 * @returns the reader, which gives `undefined` for what is no date with a time
 * @throws RangeError when there is no such zone
 */
export function timestampReader(zone: string): ReadTimestamp {
  const toVenue = zone === '' ? (wall: Wall) => wall : zoneConverter(zone)
  return (written) => {
    const match = iso.exec(written.trim())
    if (!match || match[4] === undefined) return undefined
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
      .slice(1, 7)
      .map((part) => Number(part ?? 0))
    const wall = wallOf(year, month, day, hour, minute, second)
    return wall !== undefined && isUtc(written) ? toVenue(wall) : wall
  }
}

function zoneConverter(zone: string): (instant: number) => Wall {
  // The Swedish form is `YYYY-MM-DD HH:MM:SS`: one string to read instead of parts to sort.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  return (instant) => Date.parse(`${format.format(instant).replace(' ', 'T')}Z`)
}

/** A time of day such as `10:30` or `09:00:00` in milliseconds since midnight. */
export function readClock(written: string): number | undefined {
  const match = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/.exec(written.trim())
  if (!match) return undefined
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)]
  return hour > 23 || minute > 59 || second > 59 ? undefined : hour * hourMs + minute * minuteMs + second * 1_000
}
