import type { Limits } from '../../../contract/limits.ts'
import type { ParsedProgram } from '../source.ts'
import { quote, toOneLine } from './clean.ts'
import { type CsvRow, type CsvTable, readTable } from './csv-table.ts'
import { decideDayOrder } from './day-order.ts'
import { type ProgramField, programColumns } from './program-columns.ts'
import { rowTimes } from './program-csv-times.ts'
import type { ReadingOptions } from './reading-options.ts'
import { createSessionList, type RawSession } from './session-list.ts'
import { readSpeakers } from './speaker-names.ts'
import { utcWithoutZone } from './venue-clock.ts'
import { hasOffset, isUtc } from './wall-clock.ts'
import type { DayOrder } from './written-dates.ts'

interface TimeCell {
  line: number
  cell: string
}

const isYes = (cell: string) => /^(?:1|x|y|yes|true|ja|oui|wahr|vrai)$/i.test(cell)

/**
 * Reads a program spreadsheet saved as CSV, with any of the usual separators, headers and date formats.
 *
 * @returns `undefined` if no header row of a program is found; the file may be something else
 */
export function parseProgramCsv(text: string, limits: Limits, options: ReadingOptions): ParsedProgram | undefined {
  const table = readTable(text, programColumns, 2)
  if (!table) return undefined
  const list = createSessionList('CSV', limits)
  for (const { line, message, weight } of table.warnings) list.warn(line, message, weight)
  const missing = missingColumns(table)
  if (missing !== '') {
    const header = table.header.filter(Boolean).map(quote).join(', ')
    list.warn(table.headerLine, `No column for the ${missing}. Columns: ${header}.`)
    return list.finish()
  }
  const cells = timeCells(table)
  const utc = cells.find(({ cell }) => isUtc(cell))
  if (utc) list.warn(utc.line, utcWithoutZone)
  const offset = cells.find(({ cell }) => hasOffset(cell))
  if (offset) {
    const message = `Times such as ${quote(offset.cell)} were read as local time at the venue; their UTC offset was ignored.`
    list.warn(offset.line, message)
  }
  const { order, remark } = decideDayOrder(
    timeHeadings(table),
    cells.map(({ cell }) => cell),
    options.dates,
  )
  for (const session of mergeSpeakers(table.rows.map((row) => toSession(row, order)))) list.add(session)
  return { ...list.finish(), ...(remark === undefined ? {} : { dateReading: remark }) }
}

function missingColumns({ columns }: CsvTable<ProgramField>): string {
  if (!columns.has('title')) return 'title'
  return columns.has('start') || columns.has('day') ? '' : 'start'
}

const timeFields = ['day', 'start', 'endDay', 'end'] as const satisfies ProgramField[]

/** Every cell that may hold a date or time. */
const timeCells = ({ rows }: CsvTable<ProgramField>): TimeCell[] =>
  rows.flatMap((row) => timeFields.map((field) => ({ line: row.line, cell: row.get(field) })))

const timeHeadings = ({ header, columns }: CsvTable<ProgramField>): string[] =>
  timeFields.flatMap((field) => (columns.get(field) ?? []).map((at) => header[at] ?? ''))

function toSession(row: CsvRow<ProgramField>, order: DayOrder): RawSession {
  const times = rowTimes(row, order)
  const fullName = toOneLine(`${row.get('firstName')} ${row.get('lastName')}`)
  return {
    line: row.line,
    ids: [row.get('guid'), row.get('code'), row.get('id')],
    title: row.get('title'),
    subtitle: row.get('subtitle'),
    speakers: readSpeakers({
      names: fullName === '' ? row.all('speaker') : [fullName],
      positions: row.all('position'),
      companies: row.all('company'),
    }),
    room: row.get('room'),
    day: typeof times === 'string' ? '' : times.day,
    times,
    abstract: row.get('abstract'),
    long: row.get('long'),
    status: isYes(row.get('cancelled')) ? 'cancelled' : row.get('status'),
  }
}

/** Merges rows of one session: some exports (Sessionize's "flattened" one) have a row per speaker. */
function mergeSpeakers(sessions: RawSession[]): RawSession[] {
  const merged = new Map<string, RawSession>()
  for (const [index, session] of sessions.entries()) {
    const isMergeable = typeof session.times !== 'string' && session.ids.some((id) => id !== '')
    const key = isMergeable ? JSON.stringify([session.ids, session.title, session.room, session.times]) : `${index}`
    const first = merged.get(key)
    const names = new Set(first?.speakers.map(({ name }) => name))
    const others = session.speakers.filter(({ name }) => !names.has(name))
    if (first && others.length > 0) merged.set(key, { ...first, speakers: [...first.speakers, ...others] })
    else merged.set(first ? `${index}` : key, session)
  }
  return [...merged.values()]
}
