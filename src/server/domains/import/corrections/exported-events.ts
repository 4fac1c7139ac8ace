import { programExport } from '../../program/export.ts'
import { type ExportedTableRow, readExportedTable } from '../csv/exported-table.ts'
import type { EventRow } from '../program/session-event.ts'
import { decideDayOrder } from '../times/day-order.ts'
import { zoneIn } from '../times/time-words.ts'
import { formatDay, formatWall, type Wall } from '../times/wall-clock.ts'
import { type DayOrder, readMoment } from '../times/written-dates.ts'

/** A row of an exported list of events, which may have been changed in a spreadsheet. */
export interface ExportedEvent {
  line: number
  /**
   * As in the file; `undefined` if it has no such column. Timestamps, dates and times are as stored, if they are valid.
   */
  get(column: keyof EventRow): string | undefined
}

export interface ExportedEvents {
  events: ExportedEvent[]
  /** How dates that can be read in several ways were read, as a sentence; absent if there are none. */
  dateReading?: string
}

/** Spreadsheets show and save these in the form of their country. */
const dateColumns = ['date_from', 'date_to', 'program_date'] as const

/**
 * Reads the output of `summit export events`.
 * @param dates the order of day, month and year that the organizer chose
 * @param storedDays the days of the stored events
 * @returns `undefined` if the file is something else
 */
export function readExportedEvents(
  text: string,
  dates: DayOrder | undefined,
  storedDays: readonly Wall[],
): ExportedEvents | undefined {
  const rows = readExportedTable(text, programExport.events.columns as (keyof EventRow)[], [
    'id',
    'source_key',
    'date_from',
  ])
  if (!rows) return undefined
  const cells = rows.flatMap((row) => dateColumns.map((column) => row.get(column) ?? ''))
  const { order, remark } = decideDayOrder([], cells, dates, storedDays)
  const events = rows.map((row) => ({
    line: row.line,
    get: (column: keyof EventRow) => readCell(row, column, order),
  }))
  return { events, ...(remark === undefined ? {} : { dateReading: remark }) }
}

/** Whether a text is the output of `summit export activities`. */
export const isExportedSchedule = (text: string): boolean =>
  readExportedTable(text, programExport.activities.columns, ['id', 'event_id', 'date', 'time', 'title']) !== undefined

function readCell(row: ExportedTableRow<keyof EventRow>, column: keyof EventRow, order: DayOrder) {
  const cell = row.get(column)
  if (cell === undefined || cell === '') return cell
  // A time in another zone is not a correction that can be taken as it is.
  const moment = zoneIn(cell) === undefined ? readMoment(cell, order) : undefined
  if (column === 'program_date') return moment?.date === undefined ? cell : formatDay(moment.date)
  if (column === 'program_time') return moment?.time === undefined ? cell : formatWall(moment.time).slice(11)
  if (column !== 'date_from' && column !== 'date_to') return cell
  return moment?.date === undefined || moment.time === undefined ? cell : formatWall(moment.date + moment.time)
}
