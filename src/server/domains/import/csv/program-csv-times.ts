import { quote } from '../../../core/clean-text.ts'
import { dayMs, hourMs } from '../../../core/time-units.ts'
import { type Times, type TimesError, timesByDuration } from '../sessions/session-times.ts'
import type { VenueZone } from '../sessions/venue-clock.ts'
import { type CellReader, readSpreadsheetNumber } from '../times/cell-reader.ts'
import { isOpenEnd, mayBeAfternoon, readHour, readTimeRange, shareHalf } from '../times/time-range.ts'
import { hasMidnight, zoneIn } from '../times/time-words.ts'
import { formatClock, formatDay, type Wall } from '../times/wall-clock.ts'
import { type CsvRow, isYes } from './csv-table.ts'
import type { ProgramField } from './program-columns.ts'

/**
 * An end without a date that is before the start is on the next day, unless the session would last longer than this.
 */
const maxOvernightMs = 12 * hourMs

const halfDayMs = 12 * hourMs

/** No session of the day starts before this; one that does may be of the afternoon. */
const nightEnds = 6 * hourMs

/** The times of a row. */
export interface RowTimes extends Times {
  /** The conference day, `YYYY-MM-DD`. */
  day: string
  /** The time zones that are written behind the times, and ignored. */
  zones: string[]
}

/**
 * Reads the times of a spreadsheet row. The date may be part of the start or in a column of its own. If both have one,
 * the start may be in the night after the day of the column.
 *
 * @param zone of the venue, if it is known
 */
export function rowTimes(
  row: CsvRow<ProgramField>,
  reader: CellReader,
  zone: VenueZone | undefined,
): RowTimes | TimesError {
  if (isYes(row.get('allDay'))) return 'lasts all day, and has no start time'
  const dayCell = reader.day(row.get('day'))
  // Next to a day number, 0.25 is a quarter of the day and not 00:25.
  const hasDayNumber = readSpreadsheetNumber(row.get('day')) !== undefined
  const read = hasDayNumber ? (cell: string) => readSpreadsheetNumber(cell) ?? reader.moment(cell) : reader.moment
  const isOnlyDay = dayCell !== undefined && dayCell.time === undefined
  const startText = row.get('start') || (isOnlyDay ? '' : row.get('day'))
  const endText = row.get('end')
  const range = readTimeRange(startText, read)
  const hasOwnEnd = endText !== '' && !isOpenEnd(endText)
  const ownEnd = hasOwnEnd ? read(endText) : range.end
  const startCell = range.start ?? (ownEnd?.time === undefined ? undefined : readHour(startText, read))
  if (row.get('start') !== '' && !startCell) {
    if (reader.lacksFirstDay(startText, 'moment')) return lackingFirstDay(startText)
    return `starts at ${quote(startText)}, which is not a valid date or time`
  }
  const date = startCell?.date ?? dayCell?.date
  if (date === undefined) {
    const written = row.get('day')
    if (reader.lacksFirstDay(written, 'day')) return lackingFirstDay(written)
    return written === '' ? 'has no date' : `has the date ${quote(written)}, which is not a valid day, month and year`
  }
  if (startCell?.time === undefined) return 'has a date but no start time'
  if (hasOwnEnd && !ownEnd) return `ends at ${quote(endText)}, which is not a valid date or time`

  const endDay = reader.day(row.get('endDay'))
  const endCell = ownEnd ?? endDay
  const endDate = endCell?.date ?? endDay?.date
  const isSameDay = endDate === undefined || endDate === date
  const shared = isSameDay && endCell ? shareHalf(startCell, endCell) : undefined
  const start = date + (shared?.start ?? startCell.time)
  const endTime = shared?.end ?? endCell?.time
  const times =
    endTime === undefined
      ? timesByDuration(start, reader.duration(row.get('duration')), zone, startText)
      : { start, end: endDate === undefined ? endAfter(start, endTime) : endDate + endTime }

  if (!shared && endCell && mayBeAfternoon(endCell) && times.end < start && times.end + halfDayMs > start)
    return `ends at ${formatClock(times.end)}, before it starts at ${formatClock(start)}. If it ends in the afternoon, ${inAfternoon(times.end)}`

  const written = quote([startText, endText].filter((text) => text !== '').join(' – '))
  const reading = `${formatClock(start)} to ${formatClock(times.end)}`
  const warnings = [...(times.warnings ?? [])]
  if (shared) warnings.push(`has AM or PM at one time only, ${written}; it was read as ${reading}`)
  if (!shared && mayBeAfternoon(startCell) && startCell.time < nightEnds)
    warnings.push(
      `starts at ${quote(startText)}, which was read as ${formatClock(start)}, at night. If it is in the afternoon, ${inAfternoon(start)}`,
    )
  if (range.isLikeOffset) warnings.push(`is at ${written}, which was read as ${reading}, not as a time with an offset`)
  if (hasMidnight(startText) && startCell.time === dayMs)
    warnings.push(`starts at ${quote(startText)}, which was read as the end of ${formatDay(date)}`)
  if (endTime === undefined && row.get('duration') === '' && (range.isOpen || isOpenEnd(endText)))
    warnings.push(`has an open end, ${written}; its end was set to its start`)

  // Any other date in the day column is something else, such as that of the submission, or of a start that was corrected.
  const isNight = start < date + nightEnds
  const isDay = dayCell?.date !== undefined && (dayCell.date === date || (isNight && dayCell.date + dayMs === date))
  const day = formatDay(isDay && dayCell.date !== undefined ? dayCell.date : start)
  return { start, end: times.end, warnings, day, zones: [startText, endText].flatMap((text) => zoneIn(text) ?? []) }
}

/** Advice for a time that was meant to be half a day later. */
const inAfternoon = (wall: Wall): string =>
  `write ${formatClock(wall + halfDayMs)} or ${formatClock(wall).replace(/^0/, '')} PM`

const lackingFirstDay = (written: string): TimesError =>
  `is on ${quote(written)}, which has no year; add --first-day YYYY-MM-DD, the first day of the conference`

/** The first end after the start, if it is likely. */
function endAfter(start: Wall, time: number): Wall {
  const sameDay = start - (start % dayMs) + time
  const isNextDay = sameDay < start && (time === 0 || sameDay + dayMs - start <= maxOvernightMs)
  return isNextDay ? sameDay + dayMs : sameDay
}
