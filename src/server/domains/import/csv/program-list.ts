import type { Limits } from '../../../../contract/limits.ts'
import type { ReadingOptions } from '../sessions/reading-options.ts'
import { createSessionList } from '../sessions/session-list.ts'
import type { ParsedProgram } from '../source.ts'
import type { JsonFile } from '../text/json-nodes.ts'
import { type Line, tableOf } from './csv-table.ts'
import { normalizeHeader } from './headings.ts'
import { readJsonRows } from './json-rows.ts'
import { programHeadings } from './program-columns.ts'
import { missingColumns, parseTable } from './program-csv.ts'

/**
 * Reads a list of objects in JSON, as many sites have it, like a spreadsheet: their members are the columns.
 *
 * @returns `undefined` if the members do not include a title and a start
 */
export function parseProgramList(file: JsonFile, limits: Limits, options: ReadingOptions): ParsedProgram | undefined {
  const { lines, sign } = setAsidePublication(readJsonRows(file))
  const table = tableOf(lines, programHeadings, 2)
  if (table && missingColumns(table) === '') return parseTable(table, 'JSON list', limits, options)
  if (sign === undefined) return undefined
  const list = createSessionList('JSON list', limits)
  const message =
    `The list has no start: “date” is when a record was published, as it has “${sign}”. ` +
    'If it is the start of the session, rename the member to “start”.'
  list.warn(lines[0]?.line ?? 1, message)
  return list.finish()
}

const hasDate = (cell: string) => /\d{4}|\d{1,2}[./]\d{1,2}|^\p{L}/u.test(cell)
/** At midnight it is a day. */
const hasTime = (cell: string) => /\d:\d\d/.test(cell) && !/[T ]00:00(?!:0[1-9]|:[1-5])/i.test(cell)

/** A heading that is no field. */
const setAside = 'date of publication'

/** Members by which such a system tells its own kinds of records apart, under headings that are no field. */
const ofRecord: Readonly<Record<string, string>> = { type: 'type of the record', format: 'format of the record' }

/**
 * Sets aside a `date` that is when a record was published: it has a time of day, and another member has the date of the
 * start, or the records are those of a content management system such as WordPress. Their type is not that of the session.
 *
 * @returns the lines, and the member by which such a system was recognized
 */
function setAsidePublication(lines: Line[]): { lines: Line[]; sign?: string | undefined } {
  const [header, ...rows] = lines
  const at = header?.cells.findIndex((name) => normalizeHeader(name) === 'date') ?? -1
  if (!header || !rows.some(({ cells }) => hasTime(cells[at] ?? ''))) return { lines }
  const others = header.cells.with(at, setAside)
  const columns = programHeadings.find(others)
  const isStart = [...(columns.get('start') ?? []), ...(columns.get('day') ?? [])].some((column) =>
    rows.some(({ cells }) => hasDate(cells[column] ?? '')),
  )
  const sign = signOfPublication(header.cells, rows)
  if (!isStart && sign === undefined) return { lines }
  const cells = sign === undefined ? others : others.map((name) => ofRecord[name] ?? name)
  return { lines: [{ ...header, cells }, ...rows], sign }
}

const signOfPublication = (names: readonly string[], rows: readonly Line[]): string | undefined =>
  names.find(
    (name, at) =>
      /^(?:slug|permalink|date_gmt)$/.test(name) ||
      (name === 'status' && rows.some(({ cells }) => /^publish(?:ed)?$/.test(cells[at] ?? ''))),
  )
