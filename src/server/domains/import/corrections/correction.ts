import type { Limits } from '../../../../contract/limits.ts'
import { isBlank } from '../../../../contract/visible.ts'
import { type SafeHtml, sanitizeHtml, textToHtml } from '../../program/html.ts'
import { maxJoinedLength, separator } from '../../program/projection.ts'
import { isNo, isYes } from '../csv/csv-table.ts'
import { type EventRow, isOfStart, type ShownField, shownFields, shownOfStart } from '../program/session-event.ts'
import { isLongerThan, quote, toOneLine } from '../text/clean.ts'
import type { ExportedEvent } from './exported-events.ts'

/** The columns that a corrected export may change. */
interface EventValues {
  title: string
  date_from: string | null
  date_to: string | null
  program_date: string
  program_time: string
  location_name: string
  location_address: string
  venue: string
  speaker: string
  position: string
  company: string
  description: SafeHtml
  details: SafeHtml
  is_cancelled: number
  is_posted: number
}

/** The values that an export changes. */
export type Correction = Partial<EventValues>

const lines = ['title', 'location_name', 'location_address', 'venue', 'speaker', 'position', 'company'] as const
const texts = ['description', 'details'] as const
const flags = ['is_cancelled', 'is_posted'] as const

const timestamp = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/
const times = [
  ['date_from', timestamp, 'a date with a time'],
  ['date_to', timestamp, 'a date with a time'],
] as const
const shown = [
  ['program_date', /^\d{4}-\d\d-\d\d$/, 'a date'],
  ['program_time', /^\d\d:\d\d:\d\d$/, 'a time'],
] as const

/**
 * Compares a row of an export with the stored event.
 * @param event absent for a new session, which has every value
 * @returns the changed values, or the reason why the row cannot be used
 */
export function readCorrection(row: ExportedEvent, event: EventRow | undefined, limits: Limits): Correction | string {
  const correction: Correction = {}
  for (const column of lines) {
    const cell = changedCell(row, column, event, column === 'speaker' ? toNames : toOneLine)
    if (cell === undefined) continue
    if (isLongerThan(cell, column === 'title' ? limits.name : isJoined(column) ? maxJoinedLength : limits.text))
      return `the ${column} ${quote(cell)} is too long`
    correction[column] = cell
  }
  for (const column of texts) {
    const cell = changedCell(row, column, event, toPlainLines)
    const html = cell === undefined ? undefined : toHtml(cell)
    if (html !== undefined && html !== event?.[column]) correction[column] = html
  }
  for (const column of flags) {
    const cell = row.get(column)
    if (cell === undefined || (cell === '' && event)) continue
    if (cell !== '' && !isYes(cell) && !isNo(cell)) return `the ${column} ${quote(cell)} is neither yes nor no`
    const flag = isYes(cell) ? 1 : 0
    if (flag !== event?.[column]) correction[column] = flag
  }
  for (const [column, form, expectation] of [...times, ...shown.filter(([column]) => isOwn(column, row, event))]) {
    const cell = changedCell(row, column, event, (text) => text)
    if (cell === undefined) continue
    if (cell !== '' && !form.test(cell)) return `the ${column} ${quote(cell)} is not ${expectation}`
    if (column === 'date_from' || column === 'date_to') correction[column] = cell === '' ? null : cell
    else correction[column] = cell
  }
  if (isBlank(correction.title ?? event?.title ?? '')) return 'it has no title'
  return checkTimes(event ? withDay(correction, event) : correction, event)
}

/** The cell of a column, unless the file does not have it or it means the stored value. */
function changedCell(
  row: ExportedEvent,
  column: keyof EventValues,
  event: EventRow | undefined,
  clean: (text: string) => string,
): string | undefined {
  const cell = row.get(column)
  if (cell === undefined) return undefined
  const cleaned = clean(cell)
  return event && cleaned === clean(String(event[column] ?? '')) ? undefined : cleaned
}

/**
 * Whether the day or time in a row counts. It does not if that of the stored event follows the start: the cell may be
 * left from a start that was corrected. A row that was added is often a copy of another, with another start.
 */
const isOwn = (column: ShownField, row: ExportedEvent, event: EventRow | undefined): boolean =>
  !!row.get('id') && !(event && isOfStart(column, event))

/**
 * The days and times in a row that do not count, and differ from those that the event will have, each as a sentence.
 */
export function ignoredCells(row: ExportedEvent, event: EventRow, correction: Correction): string[] {
  const corrected = { ...event, ...correction }
  return shownFields.flatMap((column) => {
    const cell = row.get(column)
    if (!row.get('id') || cell === undefined || !isOfStart(column, event)) return []
    if (cell === event[column] || cell === corrected[column]) return []
    const title = quote(correction.title ?? event.title)
    return [`The ${column} ${quote(cell)} of session ${title} was ignored: it follows date_from.`]
  })
}

const isJoined = (column: (typeof lines)[number]) =>
  column === 'speaker' || column === 'position' || column === 'company'

/** Names as an export joins them; a cell that was written anew may separate them in other ways. */
const toNames = (text: string): string =>
  text
    .split(/[;|\r\n]+/)
    .map(toOneLine)
    .filter((name) => name !== '')
    .join(separator)

/** Without the line endings and outer space that a spreadsheet changes. */
const toPlainLines = (text: string): string => text.replace(/\r\n?/g, '\n').trim()

/** An export has HTML; a cell that was written anew may be plain text. */
const toHtml = (cell: string): SafeHtml => (/<\/?[a-z][^<>]*>/i.test(cell) ? sanitizeHtml(cell) : textToHtml(cell))

/** The day and time shown of an event follow its start, unless they were different. */
function withDay(correction: Correction, event: EventRow): Correction {
  const followed = shownFields.flatMap((field) => {
    const value = shownOfStart(field, correction.date_from)
    return value !== undefined && value !== event[field] && isOfStart(field, event) ? [[field, value] as const] : []
  })
  return { ...correction, ...Object.fromEntries(followed) }
}

function checkTimes(correction: Correction, event: EventRow | undefined): Correction | string {
  const { date_from = event?.date_from, date_to = event?.date_to } = correction
  const isChanged = 'date_from' in correction || 'date_to' in correction
  return isChanged && date_from && date_to && date_to < date_from ? 'it ends before it starts' : correction
}
