import { dayMs, hourMs } from '../../core/time-units.ts'
import type { CellReader } from './cell-reader.ts'
import { quote } from './clean.ts'
import type { CsvRow } from './csv-table.ts'
import type { ProgramField } from './program-columns.ts'
import { type Times, type TimesError, timesByDuration } from './session-times.ts'
import { readSpreadsheetNumber } from './spreadsheet-numbers.ts'
import type { VenueZone } from './venue-clock.ts'
import { formatDay, type Wall } from './wall-clock.ts'
import type { Moment } from './written-dates.ts'

/**
 * An end without a date that is before the start is on the next day, unless the session would last longer than this.
 */
const maxOvernightMs = 12 * hourMs

const range = /^(.+?)\s*(?:[-–—]|\bto\b|\bbis\b)\s*(\d{1,2}(?:[:.h]\d\d)?\s*(?:[ap]\.?m\.?|uhr|h)?)$/i

/** Splits a cell with a start and an end, such as `09:00 – 10:30`. */
function splitRange(cell: string, read: CellReader['moment']): [start: string, end: string] {
  if (cell.length > 60 || read(cell)) return [cell, '']
  const [, start = '', end = ''] = range.exec(cell) ?? []
  const isRange = read(start)?.time !== undefined && read(end)?.time !== undefined
  return isRange ? [start, end] : [cell, '']
}

/**
 * Reads the times of a spreadsheet row. The date may be part of the start or in a column of its own. If both have one,
 * the start may be in the night after the day of the column.
 *
 * @param zone of the venue, if it is known
 * @returns the times and the conference day (`YYYY-MM-DD`), or an error
 */
export function rowTimes(
  row: CsvRow<ProgramField>,
  reader: CellReader,
  zone: VenueZone | undefined,
): (Times & { day: string }) | TimesError {
  const dayCell = reader.day(row.get('day'))
  // Next to a day number, 0.25 is a quarter of the day and not 00:25.
  const hasDayNumber = readSpreadsheetNumber(row.get('day')) !== undefined
  const read = hasDayNumber ? (cell: string) => readSpreadsheetNumber(cell) ?? reader.moment(cell) : reader.moment
  const [startText, rangeEnd] = splitRange(
    row.get('start') || (dayCell?.time === undefined ? '' : row.get('day')),
    read,
  )
  const startCell = read(startText)
  if (startCell === undefined && reader.lacksFirstDay(startText, 'moment')) return lackingFirstDay(startText)
  if (startText !== '' && !startCell) return `starts at ${quote(startText)}, which is not a valid date or time`
  const date = startCell?.date ?? dayCell?.date
  if (date === undefined) {
    const written = row.get('day')
    if (reader.lacksFirstDay(written, 'day')) return lackingFirstDay(written)
    return written === '' ? 'has no date' : `has the date ${quote(written)}, which is not a valid day, month and year`
  }
  if (startCell?.time === undefined) return 'has a date but no start time'
  const start = date + startCell.time
  const times = readEnd(row, start, row.get('end') || rangeEnd, { ...reader, moment: read }, zone)
  if (typeof times === 'string') return times
  // Any other date in the day column is something else, such as the date of the submission.
  const isDay = dayCell?.date !== undefined && (dayCell.date === date || dayCell.date + dayMs === date)
  return { ...times, day: formatDay(isDay && dayCell.date !== undefined ? dayCell.date : start) }
}

const lackingFirstDay = (written: string): TimesError =>
  `is on ${quote(written)}, which has no year; add --first-day YYYY-MM-DD, the first day of the conference`

function readEnd(
  row: CsvRow<ProgramField>,
  start: Wall,
  endText: string,
  reader: CellReader,
  zone: VenueZone | undefined,
): Times | TimesError {
  const endDay = reader.day(row.get('endDay'))
  const end: Moment | undefined = endText === '' ? endDay : reader.moment(endText)
  if (endText !== '' && end === undefined) return `ends at ${quote(endText)}, which is not a valid date or time`
  if (end?.time === undefined) return timesByDuration(start, row.get('duration'), zone, row.get('start'))
  const date = end.date ?? endDay?.date
  if (date !== undefined) return { start, end: date + end.time }
  const sameDay = start - (start % dayMs) + end.time
  const isNextDay = sameDay < start && sameDay + dayMs - start <= maxOvernightMs
  return { start, end: isNextDay ? sameDay + dayMs : sameDay }
}
