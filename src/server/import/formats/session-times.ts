import { quoted } from './clean.ts'
import { readDuration } from './duration.ts'
import type { ReadTimestamp, Wall } from './wall-clock.ts'

/** When a session starts and ends, and what had to be assumed for it. */
export interface Times {
  start: Wall
  end: Wall
  /** A reservation about the end, or absent. */
  reservation?: string
}

/** A clause that completes “The session …”, for example “has no start time”. */
export type Refusal = string

/** The end that a duration gives: a missing one is 0 length, an unreadable one too, with a reservation. */
export function timesByDuration(start: Wall, duration: string): Times {
  if (duration.trim() === '') return { start, end: start }
  const length = readDuration(duration)
  if (length !== undefined) return { start, end: start + length }
  return {
    start,
    end: start,
    reservation: `has the duration ${quoted(duration)}, which is not one; it ends as it starts`,
  }
}

/** The times of a session whose source writes timestamps, from its start and its end or else its duration. */
export function timesByTimestamps(
  read: ReadTimestamp,
  written: { start: string; end: string; duration: string },
): Times | Refusal {
  if (written.start.trim() === '') return 'has no start time'
  const start = read(written.start)
  if (start === undefined) return `starts at ${quoted(written.start)}, which is not a date and time`
  if (written.end.trim() === '') return timesByDuration(start, written.duration)
  const end = read(written.end)
  if (end === undefined) return `ends at ${quoted(written.end)}, which is not a date and time`
  return { start, end }
}
