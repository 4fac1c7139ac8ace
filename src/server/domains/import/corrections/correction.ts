import type { Limits } from '../../../../contract/limits.ts'
import { isBlank } from '../../../../contract/visible.ts'
import { isLongerThan, quote, toOneLine } from '../../../core/clean-text.ts'
import { isOfStart, type ShownField, shownFields, shownOfStart } from '../../program/event-differences.ts'
import { type SafeHtml, sanitizeHtml, textToHtml } from '../../program/html.ts'
import { maxJoinedLength, separator } from '../../program/projection.ts'
import { isNo, isYes } from '../csv/csv-table.ts'
import type { EventRow } from '../program/session-event.ts'
import { readLanguage, readTags } from '../sessions/source-values.ts'
import type { UnusedValues } from '../source.ts'
import { readIsoDate } from '../times/wall-clock.ts'
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
  subtitle: string
  type: string
  language: string
  tags: string
  code: string
  slug: string
  license: string
  do_not_record: number
  is_cancelled: number
  is_posted: number
}

/** The values that an export changes. */
export type Correction = Partial<EventValues>

const lines = [
  ...(['title', 'location_name', 'location_address', 'venue', 'speaker', 'position', 'company'] as const),
  ...(['subtitle', 'type', 'code', 'slug', 'license'] as const),
]
const texts = ['description', 'details'] as const
const flags = ['is_cancelled', 'is_posted', 'do_not_record'] as const

const timestamp = /^\d{4}-\d\d-\d\d (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/
const times = [
  ['date_from', timestamp, 'a date with a time'],
  ['date_to', timestamp, 'a date with a time'],
] as const
const shown = [
  ['program_date', /^\d{4}-\d\d-\d\d$/, 'a date'],
  ['program_time', /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/, 'a time'],
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
    if (isLongerThan(cell, maxLengthOf(column, limits))) return `the ${column} ${quote(cell)} is too long`
    correction[column] = cell
  }
  for (const column of texts) {
    const cell = changedCell(row, column, event, toPlainLines)
    const html = cell === undefined ? undefined : toHtml(cell)
    if (html !== undefined && html !== event?.[column]) correction[column] = html
  }
  const language = row.get('language')
  if (language !== undefined) {
    const tag = readLanguage(language)
    if (language !== '' && tag === '') return `the language ${quote(language)} is not known`
    if (tag !== event?.language) correction.language = tag
  }
  const list = row.get('tags')
  if (list !== undefined) {
    const tags = list === '' ? [] : parseTags(list)
    if (!tags) return `the tags ${quote(list)} are not a list such as ["ice","snow"]`
    const text = JSON.stringify(readTags(tags))
    if (text !== event?.tags) correction.tags = text
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
    const hasDay = column === 'program_time' || readIsoDate(cell.slice(0, 10)) !== undefined
    if (cell !== '' && !(form.test(cell) && hasDay)) return `the ${column} ${quote(cell)} is not ${expectation}`
    if (column === 'date_from' || column === 'date_to') correction[column] = cell === '' ? null : cell
    else correction[column] = cell
  }
  if (isBlank(correction.title ?? event?.title ?? '')) return 'it has no title'
  return checkTimes(event ? withDay(correction, event) : correction, event)
}

/** The tags as an export has them. */
function parseTags(text: string): string[] | undefined {
  try {
    const tags: unknown = JSON.parse(text)
    return Array.isArray(tags) && tags.every((tag) => typeof tag === 'string') ? tags : undefined
  } catch {
    return undefined
  }
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

function maxLengthOf(column: (typeof lines)[number], limits: Limits): number {
  if (column === 'title' || column === 'subtitle') return limits.name
  return column === 'speaker' || column === 'position' || column === 'company' ? maxJoinedLength : limits.text
}

/** Names as an export joins them; a cell that was written anew may separate them in other ways. */
const toNames = (text: string): string =>
  text
    .split(/[;|\r\n]+/)
    .map(toOneLine)
    .filter((name) => name !== '')
    .join(separator)

const byProgram = 'import the file of the program'

/** Why the columns of an export that are not read are not; undefined for those that say enough themselves. */
const unreadColumns: Record<Exclude<keyof EventRow, keyof EventValues>, string | undefined> = {
  source: 'it stays',
  source_key: 'it stays',
  guid: 'only new sessions get one',
  room_id: 'the room follows location_name, location_address and venue',
  track_id: byProgram,
  links: byProgram,
  ...{ id: undefined, banner: undefined, photo: undefined, posted_at: undefined, posted_by: undefined },
  ...{ created_at: undefined, created_by: undefined, modified_at: undefined, modified_by: undefined },
  ...{ is_deleted: undefined, deleted_at: undefined, deleted_by: undefined, draft: undefined, sequence: undefined },
}

/** Records have other ids in another summit. */
const ids: readonly string[] = ['source', 'source_key', 'room_id', 'track_id']

/**
 * Lists the columns with cells that differ from what is stored, but are not read.
 * @param events the stored event of each row; a new session has none
 */
export function listUnread(
  rows: readonly ExportedEvent[],
  events: ReadonlyMap<ExportedEvent, EventRow>,
): UnusedValues[] {
  const isUnread = (row: ExportedEvent, column: keyof EventRow): boolean => {
    const [cell, event] = [row.get(column), events.get(row)]
    if (cell === undefined) return false
    if (!event) return (column === 'links' && cell !== '[]' && cell !== '') || (column === 'track_id' && cell !== '')
    if (ids.includes(column) && row.get('id') !== String(event.id)) return false
    return cell !== String(event[column] ?? '')
  }
  return Object.entries(unreadColumns).flatMap(([column, reason]) => {
    const count = rows.filter((row) => reason !== undefined && isUnread(row, column as keyof EventRow)).length
    return count === 0 ? [] : [{ name: quote(column), count, reason }]
  })
}

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
