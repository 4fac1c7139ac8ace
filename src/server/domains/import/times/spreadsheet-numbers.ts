import { dayMs, minuteMs } from '../../../core/time-units.ts'
import type { Moment } from './written-dates.ts'

/** 1970-01-01 as a day number of Excel. */
const epoch = 25_569
/** 2000-01-01 and 2100-01-01: other numbers of five digits are something else. */
const [firstDay, lastDay] = [36_526, 73_051]

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
  if (days < firstDay || days >= lastDay) return undefined
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
