import type { CellReader } from '../times/cell-reader.ts'
import { readTimeRange } from '../times/time-range.ts'
import type { CsvRow } from './csv-table.ts'
import { type ProgramField, titleOf } from './program-columns.ts'

type Row = CsvRow<ProgramField>

export interface FilledRows {
  /** The rows, without those that only have what the rows below them were given. */
  rows: readonly Row[]
  /** The first row that was given something from a row above. */
  firstFilled?: Row
}

/**
 * Gives every row the day under which it is listed. A spreadsheet may have the day only in the first row of each day,
 * or in a row of its own between the sessions. A column that repeats a day in the next row has it in every row, so an
 * empty cell of it is an omission and remains empty.
 */
export function fillDays(rows: readonly Row[], reader: CellReader): FilledRows {
  const days = rows.map((row) => row.get('day')).filter((day) => day !== '')
  const isRepeated = days.some((day, index) => day === days[index + 1])
  let current = ''
  let firstFilled: Row | undefined
  const filled = rows.flatMap((row) => {
    const heading = dayHeading(row, reader)
    if (heading !== undefined) {
      current = heading
      return []
    }
    const day = row.get('day')
    if (day !== '') current = isRepeated ? '' : day
    if (day !== '' || current === '' || titleOf(row) === '') return [row]
    if (readTimeRange(row.get('start'), reader.moment).start?.date !== undefined) return [row]
    firstFilled ??= row
    const above = current
    return [{ ...row, get: (field: ProgramField) => (field === 'day' ? above : row.get(field)) }]
  })
  return { rows: filled, ...(firstFilled && { firstFilled }) }
}

/** Rows that take place at one time. */
interface Slot {
  /** The row that has the start. */
  first: Row
  day: string
  /** Whether the start is a timestamp, of which other files have one in every row. */
  hasDate: boolean
  rooms: Set<string>
}

/**
 * Gives every row of a slot its start. A spreadsheet may have it only in the first of them, or in a row of its own above
 * them. A column that repeats a start in the next row has it in every row, so an empty cell of it is an omission and
 * remains empty. So does that of a session on another day, of a whole day, without a room, or where a timestamp has it in
 * its room.
 *
 * @param rows with their days
 */
export function fillStarts(rows: readonly Row[], reader: CellReader): FilledRows {
  const isRepeated = rows.some((row, index) => {
    const next = rows[index + 1]
    return row.get('start') !== '' && row.get('start') === next?.get('start') && row.get('day') === next.get('day')
  })
  if (isRepeated) return { rows }
  const hasRooms = rows.some((row) => row.get('room') !== '')
  let slot: Slot | undefined
  let firstFilled: Row | undefined
  const filled = rows.flatMap((row, index) => {
    const [day, room] = [row.get('day'), row.get('room')]
    if (row.get('start') !== '') {
      const { start } = readTimeRange(row.get('start'), reader.moment)
      const hasDate = start?.date !== undefined
      slot = start?.time === undefined ? undefined : { first: row, day, hasDate, rooms: new Set([room]) }
      const isHeading = isAlone(row) && rows[index + 1]?.get('start') === ''
      return slot && isHeading ? [] : [row]
    }
    if (slot && isAlone(slot.first)) slot.day ||= day
    if (slot?.day !== day || titleOf(row) === '') return [row]
    // An event of a whole day has both dates, and no time.
    if (row.get('endDay') !== '' && row.get('end') === '') return [row]
    // Exports of submissions also list those that have no place yet.
    const isPlaced = hasRooms ? room !== '' : !slot.hasDate
    if (!isPlaced || (slot.hasDate && slot.rooms.has(room))) return [row]
    slot.rooms.add(room)
    firstFilled ??= row
    return [startingWith(row, slot.first)]
  })
  return { rows: filled, ...(firstFilled && { firstFilled }) }
}

const isAlone = (row: Row): boolean => row.cells.filter((cell) => cell !== '').length === 1

/** The row with the start of another, and unless it has its own, also with the end. */
function startingWith(row: Row, { get }: Row): Row {
  const hasOwnEnd = (['end', 'endDay', 'duration'] as const).some((field) => row.get(field) !== '')
  const fields = new Set<ProgramField>(hasOwnEnd ? ['start'] : ['start', 'end', 'endDay', 'duration'])
  return { ...row, get: (field) => (fields.has(field) ? get(field) : row.get(field)) }
}

/** The day of a row that has nothing else, in whichever column. */
function dayHeading(row: Row, reader: CellReader): string | undefined {
  const cell = row.cells.find((each) => each !== '') ?? ''
  // 9-10 may be the times of a slot.
  if (!isAlone(row) || readTimeRange(cell, reader.moment).end) return undefined
  const moment = reader.moment(cell)
  const isDay = (moment?.date !== undefined && moment.time === undefined) || reader.lacksFirstDay(cell, 'moment')
  return isDay ? cell : undefined
}
