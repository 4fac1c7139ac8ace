import { dayMs, minuteMs } from '../../../core/time-units.ts'
import { isInHours, withHours } from './duration.ts'
import { isRelativeDay, resolveRelativeDay } from './relative-days.ts'
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
    duration: isInHours(durationHeading) ? withHours : (cell) => cell,
    lacksFirstDay: (cell, column) =>
      firstDay === undefined &&
      cell.length <= 60 &&
      isRelativeDay(withHyphens(column === 'day' ? counted(cell) : cell)),
  }
}

/** 1970-01-01 as a day number of Excel. */
const epoch = 25_569
/** 2000-01-01 and 2100-01-01: other numbers of five digits are something else. */
const [earliest, latest] = [36_526, 73_051]

/**
 * Reads a date, time or both that a spreadsheet has saved as a number, which counts days since 1900: `46093`,
 * `46093.375`, `0.375` for 09:00.
 *
 * @returns `undefined` for any other cell
 */
export function readSpreadsheetNumber(cell: string): Moment | undefined {
  if (!/^(?:\d{5}(?:[.,]\d{1,15})?|0?[.,]\d{1,16})$/.test(cell)) return undefined
  const number = Number(cell.replace(',', '.'))
  const days = Math.floor(number)
  const minutes = Math.round(((number - days) * dayMs) / minuteMs)
  if (days === 0) return { time: minutes * minuteMs }
  if (days < earliest || days >= latest) return undefined
  const date = (days - epoch) * dayMs
  return number === days
    ? { date }
    : { date: date + Math.floor(minutes / 1_440) * dayMs, time: (minutes % 1_440) * minuteMs }
}

/**
 * Whether a spreadsheet has cut a number and saved it as `4.47911E+11`: only its first digits are left, so it must not be
 * taken for a phone number or an id.
 */
export const isCutNumber = (cell: string): boolean => /^[+-]?\d(?:[.,]\d+)?E\+\d{2,3}$/i.test(cell.trim())
