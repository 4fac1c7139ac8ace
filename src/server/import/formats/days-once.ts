import type { CellReader } from './cell-reader.ts'
import type { CsvRow } from './csv-table.ts'
import type { ProgramField } from './program-columns.ts'
import { readTimeRange } from './time-range.ts'

type Row = CsvRow<ProgramField>

/**
 * Gives every row the day under which it is listed. A spreadsheet may have the day only in the first row of each day,
 * or in a row of its own between the sessions. A column that repeats a day in the next row has it in every row, so an
 * empty cell of it is an omission and remains empty.
 *
 * @returns the rows without those that only have a day, and the first row that got the day of a row above, if any
 */
export function fillDays(rows: readonly Row[], reader: CellReader): { rows: Row[]; firstFilled?: Row } {
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
    if (day !== '' || current === '' || row.get('title') + row.get('sessionTitle') === '') return [row]
    if (readTimeRange(row.get('start'), reader.moment).start?.date !== undefined) return [row]
    firstFilled ??= row
    const above = current
    return [{ ...row, get: (field: ProgramField) => (field === 'day' ? above : row.get(field)) }]
  })
  return { rows: filled, ...(firstFilled && { firstFilled }) }
}

/** The day of a row that has nothing else, in whichever column. */
function dayHeading(row: Row, reader: CellReader): string | undefined {
  const cells = row.cells.filter((each) => each !== '')
  const [cell = ''] = cells
  // 9-10 may be the times of a slot.
  if (cells.length !== 1 || readTimeRange(cell, reader.moment).end) return undefined
  const moment = reader.moment(cell)
  const isDay = (moment?.date !== undefined && moment.time === undefined) || reader.lacksFirstDay(cell, 'moment')
  return isDay ? cell : undefined
}
