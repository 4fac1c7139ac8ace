import { quote } from '../../../core/clean-text.ts'
import { readDuration } from '../times/duration.ts'
import { addExactTime, formatWall, instantOf, type ReadTimestamp, type Wall, wallAt } from '../times/wall-clock.ts'
import type { VenueZone } from './venue-clock.ts'

/** When a session starts and ends. */
export interface Times {
  start: Wall
  end: Wall
  /** Clauses that complete “Session …”, each with an assumption that was made. */
  warnings?: string[]
}

/** A clause that completes “Session …”, for example “has no start time”. */
export type TimesError = string

/**
 * Computes the end from a duration, which is exact time also over a change of clock. A missing one counts as 0; so does
 * an invalid one, with a warning.
 *
 * @param zone of the venue, if it is known
 * @param writtenStart the start in the file, which may have an offset
 */
export function timesByDuration(
  start: Wall,
  duration: string,
  zone: VenueZone | undefined,
  writtenStart: string,
): Times {
  if (duration.trim() === '') return { start, end: start }
  const length = readDuration(duration)
  if (length !== undefined) return timesByLength(start, length, zone, instantOf(writtenStart))
  const warning = `has an invalid duration, ${quote(duration)}; its end was set to its start`
  return { start, end: start, warnings: [warning] }
}

function timesByLength(start: Wall, length: number, zone: VenueZone | undefined, instant: number | undefined): Times {
  const sum = start + length
  if (!zone) return { start, end: sum }
  const isVenueTime = instant !== undefined && wallAt(instant, zone.name) === start
  // The offset shows that the venue is in another zone than the one assumed.
  if (instant !== undefined && !isVenueTime && zone.isAssumed) return { start, end: sum }
  const end = addExactTime(start, length, zone.name, isVenueTime ? instant : undefined)
  if (end === sum) return { start, end }
  if (end <= start) return { start, end: sum, warnings: [withoutChange(sum)] }
  if (!zone.isAssumed) return { start, end }
  const warning = `lasts over a change of clock in ${zone.name}; its end was set to ${formatWall(end)}`
  return { start, end, warnings: [warning] }
}

const withoutChange = (end: Wall): string =>
  `ends when clocks have been set back, by which it would end before it starts; its end was set to ${formatWall(end)}, as if they had not`

/** Reads timestamps: the start, and the end or else the duration. */
export function timesByTimestamps(
  read: ReadTimestamp,
  written: { start: string; end: string; duration: string },
  zone?: VenueZone,
): Times | TimesError {
  if (written.start.trim() === '') return 'has no start time'
  const start = read(written.start)
  if (start === undefined) return `starts at ${quote(written.start)}, which is not a valid date and time`
  if (written.end.trim() === '') return timesByDuration(start, written.duration, zone, written.start)
  const end = read(written.end)
  if (end === undefined) return `ends at ${quote(written.end)}, which is not a valid date and time`
  const length = (instantOf(written.end) ?? Number.NaN) - (instantOf(written.start) ?? Number.NaN)
  if (end < start && length > 0) return { start, end: start + length, warnings: [withoutChange(start + length)] }
  return { start, end }
}
