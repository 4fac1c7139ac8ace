import type { Limits } from '../../../../contract/limits.ts'
import { quote, toOneLine } from '../../../core/clean-text.ts'
import type { ProgramFormat } from '../program-formats.ts'
import type { ReadingOptions } from '../sessions/reading-options.ts'
import { createSessionList, type RawSession, type SessionList } from '../sessions/session-list.ts'
import type { TimesError } from '../sessions/session-times.ts'
import { isCancellation } from '../sessions/session-titles.ts'
import type { RawSpeaker } from '../sessions/speakers.ts'
import { readSpeakers } from '../sessions/speakers.ts'
import { assumedZone, utcWithoutZone, type VenueZone } from '../sessions/venue-clock.ts'
import type { ParsedProgram } from '../source.ts'
import { mostFrequentFirst } from '../text/unused-values.ts'
import { createCellReader, isCutNumber, readSpreadsheetNumber } from '../times/cell-reader.ts'
import { decideDayOrder } from '../times/day-order.ts'
import { isLikeOffset } from '../times/time-range.ts'
import { isNameOf } from '../times/time-words.ts'
import { formatDay, hasOffset, isUtc } from '../times/wall-clock.ts'
import { readMoment } from '../times/written-dates.ts'
import { acceptedHeadings } from './csv-columns.ts'
import { type CsvRow, type CsvTable, isNo, isYes, readTable } from './csv-table.ts'
import { hasKeys, nameRoom, nameSpeakers } from './named-by-key.ts'
import { type ProgramField, programColumns, programHeadings, titleOf } from './program-columns.ts'
import { type RowTimes, rowTimes } from './program-csv-times.ts'
import { listUnassigned, listUnusable, readDetails, splitUrls } from './session-details.ts'
import { partsWithoutColumn } from './unsaid-parts.ts'
import { type FilledRows, fillDays, fillStarts } from './written-once.ts'

interface TimeCell {
  line: number
  cell: string
}

/**
 * Reads a program spreadsheet as CSV, with any of the usual separators, headers and date formats.
 *
 * @returns `undefined` if no header row of a program is found; the file may be something else
 */
export function parseProgramCsv(text: string, limits: Limits, options: ReadingOptions): ParsedProgram | undefined {
  const table = readTable(text, programHeadings, 2)
  return table && parseTable(table, 'CSV', limits, options)
}

/** Whether a text is CSV with the headings that a program needs. */
export function isProgramTable(text: string): boolean {
  const table = readTable(text, programHeadings, 2)
  return table !== undefined && missingColumns(table) === ''
}

/** Reads the sessions of a table. */
export function parseTable(
  table: CsvTable<ProgramField>,
  format: ProgramFormat,
  limits: Limits,
  options: ReadingOptions,
): ParsedProgram {
  const list = createSessionList(format, limits)
  for (const { line, message, weight } of table.warnings) list.warn(line, message, weight)
  const missing = missingColumns(table)
  if (missing !== '') {
    const header = table.header.filter(Boolean).map(quote).join(', ')
    list.warn(table.headerLine, `No column for the ${missing}. Columns: ${header}. ${acceptedHeadings(programColumns)}`)
    return { ...list.finish(), unused: table.unused }
  }
  const cells = timeCells(table)
  const utc = cells.find(({ cell }) => isUtc(cell))
  if (utc) list.warn(utc.line, utcWithoutZone)
  const offset = cells.find(({ cell }) => hasOffset(cell) && !isLikeOffset(cell))
  if (offset) {
    const message = `Times such as ${quote(offset.cell)} were read as local time at the venue; their UTC offset was ignored.`
    list.warn(offset.line, message)
  }
  const { order, remark } = decideDayOrder(
    headingsOf(table, ...timeFields),
    cells.map(({ cell }) => cell),
    options.dates,
    options.storedDays,
  )
  const reader = createCellReader(order, options.firstDay, headingsOf(table, 'duration')[0] ?? '')
  const days = fillDays(table.rows, reader)
  // Objects of JSON have no merged cells: one without a start has none.
  const starts: FilledRows = format === 'CSV' ? fillStarts(days.rows, reader) : { rows: days.rows }
  warnAboutFilled(list, 'date', days)
  warnAboutFilled(list, 'start', starts)
  if (remark !== undefined) list.setReading(remark)
  const numbered = cells.find(({ cell }) => readSpreadsheetNumber(cell)?.date !== undefined)
  if (numbered && readMoment(numbered.cell, order) === undefined) {
    const day = formatDay(readSpreadsheetNumber(numbered.cell)?.date ?? 0)
    list.warn(numbered.line, `Numbers such as ${quote(numbered.cell)} were read as dates of a spreadsheet (${day}).`)
  }
  const cut = table.rows.flatMap((row) =>
    idsOf(row)
      .filter(isCutNumber)
      .map((id) => ({ id, line: row.line })),
  )
  if (cut[0]) {
    const message = `A spreadsheet has cut ids such as ${quote(cut[0].id)}; they were ignored. Format the column as text, enter the ids again, and save the file again.`
    list.warn(cut[0].line, message)
  }
  const isKey = { room: hasKeys(table, 'room'), speaker: hasKeys(table, 'speaker') }
  // Beside their numbers, as Sessionize has them.
  const hasNames = table.columns.has('firstName') || table.columns.has('lastName')
  const zone = assumedZone(options)
  const toSession = (row: CsvRow<ProgramField>): RawSession => {
    const { line } = row
    const named = hasNames ? undefined : nameSpeakers(row.all('speaker'), line, isKey.speaker, options, list)
    const speakers = named ?? (isOwn(row) ? readOwnSpeakers(row) : speakersOf(row))
    const room = nameRoom(row.get('room'), line, isKey.room, options, list)
    const times = rowTimes(row, reader, zone)
    if (typeof times !== 'string') warnAboutZones(list, line, times, zone)
    return { ...sessionOf(row, times), ...readDetails(row, format), speakers, room, note: cancellationIn(row, table) }
  }
  const sessions = starts.rows.map(toSession)
  for (const session of mergeSpeakers(sessions)) list.add(session)
  const unused = [...table.unused, ...listUnusable(table, format), ...listUnassigned(table, starts.rows, sessions)]
  const parsed = list.finish()
  const unsaid = partsWithoutColumn(table, parsed.sessions)
  return {
    ...parsed,
    sessions: parsed.sessions.map((session) => ({ ...session, unsaid })),
    unused: mostFrequentFirst(unused),
  }
}

const idsOf = (row: CsvRow<ProgramField>): string[] =>
  isOwn(row) ? [] : [row.get('guid'), row.get('code'), row.get('id')]

/** Whether Summit wrote the spreadsheet. */
const isOwn = (row: CsvRow<ProgramField>): boolean => row.has('summitId')

/** The columns that are missing for a program; `''` if none. */
export function missingColumns({ columns }: CsvTable<ProgramField>): string {
  if (!columns.has('title')) return 'title'
  return columns.has('start') || columns.has('day') ? '' : 'start'
}

const timeFields = ['day', 'start', 'endDay', 'end'] as const satisfies ProgramField[]

/** Every cell that may hold a date or time. */
const timeCells = ({ rows }: CsvTable<ProgramField>): TimeCell[] =>
  rows.flatMap((row) => timeFields.map((field) => ({ line: row.line, cell: row.get(field) })))

const headingsOf = ({ header, columns }: CsvTable<ProgramField>, ...fields: ProgramField[]): string[] =>
  fields.flatMap((field) => (columns.get(field) ?? []).map((at) => header[at] ?? ''))

function warnAboutFilled(list: SessionList, noun: string, { firstFilled }: FilledRows): void {
  if (!firstFilled) return
  const message = `Rows without a ${noun}, such as that of session ${quote(titleOf(firstFilled))}, were given the ${noun} above them.`
  list.warn(firstFilled.line, message)
}

/** Reports time zones behind times, unless they are the zone of the summit. */
function warnAboutZones(
  list: SessionList,
  line: number,
  { start, zones }: RowTimes,
  zone: VenueZone | undefined,
): void {
  for (const written of zones) {
    if (zone && isNameOf(written, zone.name, start)) continue
    const other = zone ? ` The summit is in ${zone.name}.` : ''
    list.warnOnce(
      line,
      `Times with ${quote(written)} were read as local time at the venue; their time zone was ignored.${other}`,
    )
  }
}

/** Looks in every column, since one of notes may have any heading. */
function cancellationIn(row: CsvRow<ProgramField>, { header, columns }: CsvTable<ProgramField>): RawSession['note'] {
  const at = row.cells.findIndex((cell, index) => isCancellation(cell) && !columns.get('title')?.includes(index))
  return at < 0 ? undefined : { heading: header[at] || `column ${at + 1}`, cell: row.cells[at] ?? '' }
}

function sessionOf(row: CsvRow<ProgramField>, times: RowTimes | TimesError): Omit<RawSession, 'speakers' | 'room'> {
  return {
    line: row.line,
    ids: idsOf(row).filter((id) => !isCutNumber(id)),
    title: titleOf(row),
    subtitle: row.get('subtitle'),
    day: typeof times === 'string' ? '' : times.day,
    times,
    guid: row.get('summitId') || row.get('guid'),
    shownAt: isOwn(row) ? readModified(row.get('summitModified')) : undefined,
    code: isCutNumber(row.get('code')) ? '' : row.get('code'),
    abstract: row.get('abstract'),
    long: row.get('long'),
    status: isYes(row.get('cancelled')) ? 'cancelled' : isNo(row.get('active')) ? 'inactive' : row.get('status'),
  }
}

/** A spreadsheet that has taken it for a date has cut its seconds. */
const readModified = (cell: string): number => Date.parse(`${/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.exec(cell)?.[0]}Z`) || 0

/** Merges rows of one session: some exports (Sessionize's "flattened" one) have a row per speaker. */
function mergeSpeakers(sessions: RawSession[]): RawSession[] {
  const merged: RawSession[] = []
  /** The speakers of a session, by what its rows have in common. */
  const speakersOfKey = new Map<string, { all: RawSpeaker[]; names: Set<string> }>()
  for (const session of sessions) {
    const isMergeable = typeof session.times !== 'string' && session.ids.some((id) => id !== '')
    const key = isMergeable ? JSON.stringify([session.ids, session.title, session.room, session.times]) : ''
    const known = speakersOfKey.get(key)
    const others = session.speakers.filter(({ name }) => !known?.names.has(name))
    if (known && others.length > 0) {
      for (const speaker of others) {
        known.all.push(speaker)
        known.names.add(speaker.name)
      }
      continue
    }
    const speakers = [...session.speakers]
    merged.push({ ...session, speakers })
    if (isMergeable && !known)
      speakersOfKey.set(key, { all: speakers, names: new Set(speakers.map(({ name }) => name)) })
  }
  return merged
}

/** The speakers of a spreadsheet row by name, from columns of full names or of first and last names. */
function speakersOf(row: CsvRow<ProgramField>): RawSpeaker[] {
  const [firstNames, lastNames] = [row.all('firstName'), row.all('lastName')]
  const fullNames = Array.from({ length: Math.max(firstNames.length, lastNames.length) }, (_, index) =>
    toOneLine(`${firstNames[index] ?? ''} ${lastNames[index] ?? ''}`),
  )
  return readSpeakers({
    names: fullNames.length === 0 ? row.all('speaker') : fullNames,
    positions: row.all('position'),
    companies: row.all('company'),
    biographies: row.all('biography'),
    photos: row.all('photo').flatMap(splitUrls),
  })
}

/** Speakers separated by semicolons only, as names may have commas and bars, each with a position and company. */
function readOwnSpeakers(row: CsvRow<ProgramField>): RawSpeaker[] {
  const names = row.get('speaker').split(';').map(toOneLine).filter(Boolean)
  const [positions, companies] = [row.get('position'), row.get('company')].map((cell) => partsOf(cell, names.length))
  return names.map((written, index) => {
    const [, name = written, guid = ''] = /^(.*\S) \[([\da-f-]{36})\]$/i.exec(written) ?? []
    return { name, guid, position: positions?.[index] ?? '', company: companies?.[index] ?? '' }
  })
}

/** One part for each speaker; a cell with another number of parts is about the first. */
function partsOf(cell: string, count: number): string[] {
  const parts = cell.split(';').map(toOneLine)
  return parts.length === count ? parts : [toOneLine(cell)]
}
