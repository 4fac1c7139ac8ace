import { dayMs, hourMs, minuteMs } from '../../../core/time-units.ts'

const clock = /^(\d{1,3}):(\d\d)(?::(\d\d))?$/
const isoDuration = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i
/** Less than a minute is something else: hours, or the part of a day that a spreadsheet saves. */
const minutes = /^(?!0*[.,]\d+$)(\d+(?:[.,]\d+)?)\s*(?:m|mins?|minutes?|minuten|′|')?\.?$/i
const hours =
  /^(\d+(?:[.,]\d+)?)\s*(?:h|hrs?|hours?|std|stunden?|heures?)\.?(?:\s*(\d+)\s*(?:m|mins?|minutes?|minuten)?\.?)?$/i

const decimal = (text: string | undefined) => Number((text ?? '0').replace(',', '.'))

function parseDuration(text: string): number | undefined {
  const clockMatch = clock.exec(text)
  if (clockMatch)
    return Number(clockMatch[1]) * hourMs + Number(clockMatch[2]) * minuteMs + Number(clockMatch[3] ?? 0) * 1_000
  const inMinutes = minutes.exec(text)
  if (inMinutes) return decimal(inMinutes[1]) * minuteMs
  const inHours = hours.exec(text)
  if (inHours) return decimal(inHours[1]) * hourMs + decimal(inHours[2]) * minuteMs
  const iso = isoDuration.exec(text)
  if (!iso || text.length < 3) return undefined
  const [, days, hourPart, minutePart, seconds] = iso.map(decimal)
  return (days ?? 0) * dayMs + (hourPart ?? 0) * hourMs + (minutePart ?? 0) * minuteMs + (seconds ?? 0) * 1_000
}

const threePart = /^\s*(\d{1,3}):(\d\d):(\d\d)\s*$/

/**
 * Creates a reader of the durations of one schedule, which are HH:MM, or D:HH:MM for sessions of days. Some programs
 * write HH:MM:SS instead: all of a schedule are those if one of them can be nothing else, such as `00:45:00`.
 *
 * @param all the durations of the schedule
 * @returns the reader; of durations in three parts, it also returns how they were read, as a clause
 */
export function createScheduleDurations(
  all: readonly string[],
): (written: string) => { duration: string; reading?: string } {
  const hasSeconds = all.some((written) => {
    const [, , hours, minutes] = threePart.exec(written) ?? []
    return Number(hours) > 23 || Number(minutes) > 59
  })
  return (written) => {
    const [, days, hours, minutes] = threePart.exec(written) ?? []
    if (days === undefined) return { duration: written }
    if (hasSeconds) return { duration: written, reading: 'was read as hours, minutes and seconds' }
    return {
      duration: `P${days}DT${hours}H${minutes}M`,
      reading: `was read as days, hours and minutes: ${Number(days) * 24 + Number(hours)} h ${Number(minutes)} min`,
    }
  }
}

const hourWord = /(?<!\p{L})(?:h|hrs?|hours?|std|stunden?|heures?)(?!\p{L})/iu

/** Whether a heading of durations says that a bare number is in hours: `Duration (hours)`. */
export const isInHours = (heading: string): boolean => hourWord.test(heading)

/** A cell of a column of durations, with the unit of a bare number. */
export const withHours = (cell: string): string => cell.replace(/^\d+(?:[.,]\d+)?$/, '$& h')

/**
 * Parses a duration.
 *
 * @param written `00:30`, `1:30:00`, `30`, `30 min`, `1h 30m`, `1.5 hours` or `PT30M`; a bare number is minutes
 * @returns whole milliseconds, at most a year; `undefined` for anything else
 */
export function readDuration(written: string): number | undefined {
  const text = written.trim()
  const length = text.length > 40 ? undefined : parseDuration(text)
  return length === undefined || !(length <= 366 * dayMs) ? undefined : Math.round(length / 1_000) * 1_000
}
