import { quote } from './clean.ts'
import { readDuration } from './duration.ts'
import type { ReadTimestamp, Wall } from './wall-clock.ts'

/** When a session starts and ends. */
export interface Times {
  start: Wall
  end: Wall
  /** A clause that completes “Session …” with an assumption made about the end. */
  warning?: string
}

/** A clause that completes “Session …”, for example “has no start time”. */
export type TimesError = string

/** Computes the end from a duration. A missing one counts as 0; so does an invalid one, with a warning. */
export function timesByDuration(start: Wall, duration: string): Times {
  if (duration.trim() === '') return { start, end: start }
  const length = readDuration(duration)
  if (length !== undefined) return { start, end: start + length }
  return {
    start,
    end: start,
    warning: `has an invalid duration, ${quote(duration)}; its end was set to its start`,
  }
}

/** Reads timestamps: the start, and the end or else the duration. */
export function timesByTimestamps(
  read: ReadTimestamp,
  written: { start: string; end: string; duration: string },
): Times | TimesError {
  if (written.start.trim() === '') return 'has no start time'
  const start = read(written.start)
  if (start === undefined) return `starts at ${quote(written.start)}, which is not a valid date and time`
  if (written.end.trim() === '') return timesByDuration(start, written.duration)
  const end = read(written.end)
  if (end === undefined) return `ends at ${quote(written.end)}, which is not a valid date and time`
  return { start, end }
}
