import type { Wall } from '../times/wall-clock.ts'
import type { DayOrder } from '../times/written-dates.ts'
import type { RawSpeaker } from './speakers.ts'

/** Facts that a file may lack: given by the organizer, or stored. */
export interface ReadingOptions {
  /** The order of day, month and year in dates such as 03/04/2025. */
  dates?: DayOrder | undefined
  /** The first day of the conference: for `Thursday`, `Day 2` and dates without a year. */
  firstDay?: Wall | undefined
  /** The days of the stored program, which decide on the order of dates that the file leaves open. */
  storedDays?: readonly Wall[] | undefined
  /** IANA name of the zone of the summit, for a file that names none. `UTC`, the default, says nothing about the venue. */
  timeZone?: string | undefined
  /** The names of rooms by the numbers or keys that the program has instead. */
  venues?: ReadonlyMap<string, string> | undefined
  /** The speakers by the numbers or keys that the program has instead. */
  speakers?: ReadonlyMap<string, RawSpeaker> | undefined
}
