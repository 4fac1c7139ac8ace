import { withUnit } from './duration.ts'
import { isRelativeDay, resolveRelativeDay } from './relative-days.ts'
import { readSpreadsheetNumber } from './spreadsheet-numbers.ts'
import { withHyphens } from './time-words.ts'
import type { Wall } from './wall-clock.ts'
import { type DayOrder, type Moment, readMoment } from './written-dates.ts'

/** Reads the cells of one spreadsheet. */
export interface CellReader {
  /** A cell of a column of days, in which `14.03` is a date and `2` the second day. */
  day(cell: string): Moment | undefined
  /** A cell with a date, a time or both, in which `14.03` is a time. */
  moment(cell: string): Moment | undefined
  /** A cell of the column of durations, with its unit. */
  duration(cell: string): string
  /** Whether the cell has a day without a year, and the first day of the conference is unknown. */
  lacksFirstDay(cell: string, column: 'day' | 'moment'): boolean
}

/**
 * @param firstDay the first day of the conference, if known
 * @param durationHeading of the column of durations, or `''`
 */
export function createCellReader(order: DayOrder, firstDay: Wall | undefined, durationHeading: string): CellReader {
  const readRelative = (cell: string) => {
    const resolved =
      cell.length > 60 ? undefined : resolveRelativeDay(withHyphens(cell), order === 'month-first', firstDay)
    return resolved === undefined ? undefined : readMoment(resolved, order)
  }
  const moment = (cell: string) => readMoment(cell, order) ?? readRelative(cell) ?? readSpreadsheetNumber(cell)
  // A column of days may just count them.
  const counted = (cell: string) => cell.replace(/^\d{1,2}$/, 'Day $&')
  return {
    day: (cell) => readRelative(counted(cell)) ?? moment(cell),
    moment,
    duration: (cell) => withUnit(cell, durationHeading),
    lacksFirstDay: (cell, column) =>
      firstDay === undefined &&
      cell.length <= 60 &&
      isRelativeDay(withHyphens(column === 'day' ? counted(cell) : cell)),
  }
}
