import type { Limits } from '../../../contract/limits.ts'
import type { ParsedProgram } from '../source.ts'
import { oneLine, quoted } from './clean.ts'
import { type CsvRow, type CsvTable, readTable } from './csv-table.ts'
import { type ProgramField, programColumns } from './program-columns.ts'
import { rowTimes } from './program-csv-times.ts'
import { type RawSession, sessionList } from './session-list.ts'
import { speakersOf } from './speaker-names.ts'
import { hasOffset, isUtc } from './wall-clock.ts'
import { type DayOrder, dayOrderOf, readMoment } from './written-dates.ts'

interface TimeCell {
  line: number
  cell: string
}

const isYes = (cell: string) => /^(?:1|x|y|yes|true|ja|oui|wahr|vrai)$/i.test(cell)

/**
 * Reads a program spreadsheet saved as CSV: any of the usual separators, headers and ways to write dates.
 *
 * @returns `undefined` when it has no header row of a program, so that it may be something else
 */
export function parseProgramCsv(text: string, limits: Limits): ParsedProgram | undefined {
  const table = readTable(text, programColumns, 2)
  if (!table) return undefined
  const list = sessionList('CSV', limits)
  for (const { line, reason } of table.problems) list.problem(line, reason)
  const missing = missingColumns(table)
  if (missing !== '') {
    const header = table.header.filter(Boolean).map(quoted).join(', ')
    list.problem(table.headerLine, `There is no column for the ${missing}. The columns are ${header}.`)
    return list.finish()
  }
  const cells = timeCells(table)
  const utc = cells.find(({ cell }) => isUtc(cell))
  if (utc) list.problem(utc.line, 'The file gives times in UTC but no time zone; they were taken as written.')
  const away = cells.find(({ cell }) => hasOffset(cell))
  if (away) {
    const reason = `Times such as ${quoted(away.cell)} were taken as written, as those of the clock at the venue; nothing was added for the offset.`
    list.problem(away.line, reason)
  }
  const { order, guessedAt } = orderOf(cells)
  if (guessedAt) {
    const reason = `Dates such as ${quoted(guessedAt.cell)} can be read in two ways and nothing in the file tells which; the day was taken to come first.`
    list.problem(guessedAt.line, reason)
  }
  for (const session of mergeSpeakers(table.rows.map((row) => toSession(row, order)))) list.add(session)
  return list.finish()
}

function missingColumns({ columns }: CsvTable<ProgramField>): string {
  if (!columns.has('title')) return 'title'
  return columns.has('start') || columns.has('day') ? '' : 'start'
}

/** Every cell that may hold a date or time. */
function timeCells({ rows }: CsvTable<ProgramField>): TimeCell[] {
  const fields: ProgramField[] = ['day', 'start', 'endDay', 'end']
  return rows.flatMap((row) => fields.map((field) => ({ line: row.line, cell: row.get(field) })))
}

function orderOf(cells: readonly TimeCell[]) {
  const { order, isGuess } = dayOrderOf(cells.map(({ cell }) => cell))
  const readsBothWays = ({ cell }: TimeCell) => {
    const [dayFirst, monthFirst] = [readMoment(cell, 'day-first'), readMoment(cell, 'month-first')]
    return dayFirst?.date !== undefined && monthFirst?.date !== undefined && dayFirst.date !== monthFirst.date
  }
  return { order, guessedAt: isGuess ? cells.find(readsBothWays) : undefined }
}

function toSession(row: CsvRow<ProgramField>, order: DayOrder): RawSession {
  const times = rowTimes(row, order)
  const fullName = oneLine(`${row.get('firstName')} ${row.get('lastName')}`)
  return {
    line: row.line,
    ids: [row.get('guid'), row.get('code'), row.get('id')],
    title: row.get('title'),
    subtitle: row.get('subtitle'),
    speakers: speakersOf({
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

/** Some exports (Sessionize's "flattened" one) have a row for each speaker of a session: these rows are one session. */
function mergeSpeakers(sessions: RawSession[]): RawSession[] {
  const merged = new Map<string, RawSession>()
  for (const [index, session] of sessions.entries()) {
    const isKnown = typeof session.times !== 'string' && session.ids.some((id) => id !== '')
    const same = isKnown ? JSON.stringify([session.ids, session.title, session.room, session.times]) : `${index}`
    const first = merged.get(same)
    const known = new Set(first?.speakers.map(({ name }) => name))
    const others = session.speakers.filter(({ name }) => !known.has(name))
    if (first && others.length > 0) merged.set(same, { ...first, speakers: [...first.speakers, ...others] })
    else merged.set(first ? `${index}` : same, session)
  }
  return [...merged.values()]
}
