import { quoted } from './clean.ts'
import type { CsvRow } from './csv-table.ts'
import type { ProgramField } from './program-columns.ts'
import { type Refusal, type Times, timesByDuration } from './session-times.ts'
import { dayMs, formatDay, hourMs, type Wall } from './wall-clock.ts'
import { type DayOrder, type Moment, readMoment } from './written-dates.ts'

/** How far past midnight an end without a date may lie; longer than that, it is before the start by mistake. */
const longestNight = 12 * hourMs

const range = /^(.+?)\s*(?:[-–—]|\bto\b|\bbis\b)\s*(\d{1,2}(?:[:.h]\d\d)?\s*(?:[ap]\.?m\.?|uhr|h)?)$/i

/** A cell with a start and an end, such as `09:00 – 10:30`, as two. */
export function splitRange(cell: string, order: DayOrder): [start: string, end: string] {
  if (cell.length > 60 || readMoment(cell, order)) return [cell, '']
  const [, start = '', end = ''] = range.exec(cell) ?? []
  const isRange = readMoment(start, order)?.time !== undefined && readMoment(end, order)?.time !== undefined
  return isRange ? [start, end] : [cell, '']
}

/**
 * When a row of a spreadsheet takes place. Its date may be in its start or in a column of its own; then a start with a
 * date of its own may lie in the night after that day.
 *
 * @returns the times and the conference day (`YYYY-MM-DD`), or why there are none
 */
export function rowTimes(row: CsvRow<ProgramField>, order: DayOrder): (Times & { day: string }) | Refusal {
  const dayCell = readMoment(row.get('day'), order)
  const [startText, rangeEnd] = splitRange(
    row.get('start') || (dayCell?.time === undefined ? '' : row.get('day')),
    order,
  )
  const stated = readMoment(startText, order)
  if (startText !== '' && !stated) return `starts at ${quoted(startText)}, which is not a date or time`
  const date = stated?.date ?? dayCell?.date
  if (date === undefined) {
    const written = row.get('day')
    return written === '' ? 'has no date' : `is on ${quoted(written)}, which is not a date with a day, month and year`
  }
  if (stated?.time === undefined) return 'has a date but no start time'
  const start = date + stated.time
  const times = endOf(row, start, row.get('end') || rangeEnd, order)
  if (typeof times === 'string') return times
  // A day column that is neither the date nor the day before it is something else, such as when the talk was proposed.
  const isDay = dayCell?.date !== undefined && (dayCell.date === date || dayCell.date + dayMs === date)
  return { ...times, day: formatDay(isDay && dayCell.date !== undefined ? dayCell.date : start) }
}

function endOf(row: CsvRow<ProgramField>, start: Wall, endText: string, order: DayOrder): Times | Refusal {
  const endDay = readMoment(row.get('endDay'), order)
  const end: Moment | undefined = endText === '' ? endDay : readMoment(endText, order)
  if (endText !== '' && end === undefined) return `ends at ${quoted(endText)}, which is not a date or time`
  if (end?.time === undefined) return timesByDuration(start, row.get('duration'))
  const date = end.date ?? endDay?.date
  if (date !== undefined) return { start, end: date + end.time }
  const sameDay = start - (start % dayMs) + end.time
  const isNextDay = sameDay < start && sameDay + dayMs - start <= longestNight
  return { start, end: isNextDay ? sameDay + dayMs : sameDay }
}
