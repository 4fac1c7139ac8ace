import type { DayOrder } from './written-dates.ts'

/** What the organizer adds to a file that does not say everything itself. */
export interface ReadingOptions {
  /** The order of day, month and year in dates such as 03/04/2025. */
  dates?: DayOrder | undefined
}
