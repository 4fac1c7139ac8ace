import type { programChanges } from '../../../contract/imports.ts'
import { formatDifference } from '../../core/clean-text.ts'
import type { Row } from '../../storage/db/tables.ts'

/** What is compared of an event. */
type EventRow = Omit<Row<'event'>, 'sequence'>

/** The day and time shown of an event: `program_date`, `program_time`. */
export const shownFields = ['program_date', 'program_time'] as const
export type ShownField = (typeof shownFields)[number]

/** The day or time shown of an event with this start; `undefined` if it has none. */
export const shownOfStart = (field: ShownField, start: string | null | undefined): string | undefined =>
  start?.split(' ')[shownFields.indexOf(field)]

/** Whether the day or time shown is that of the start; that of a session after midnight may be the day before. */
export const isOfStart = (field: ShownField, { date_from, [field]: shown }: Partial<EventRow>): boolean =>
  shown === shownOfStart(field, date_from)

export type ProgramChange = (typeof programChanges)[number]

/** The columns that an import may change, with their names in a plan. */
const fieldLabels = {
  title: 'title',
  date_from: 'start',
  date_to: 'end',
  program_date: 'day',
  program_time: 'time',
  location_name: 'room',
  location_address: 'address',
  venue: 'building',
  speaker: 'speakers',
  position: 'position',
  company: 'company',
  description: 'description',
  details: 'details',
  subtitle: 'subtitle',
  type: 'type',
  language: 'language',
  tags: 'tags',
  links: 'links',
  code: 'code',
  slug: 'short name',
  license: 'licence',
  do_not_record: 'recording',
  is_posted: 'posted',
} as const satisfies Partial<Record<keyof EventRow, string>>

type Field = keyof typeof fieldLabels

/** A session that differs in one of these has moved. */
const scheduleFields = new Set<Field>(['date_from', 'date_to', 'program_date', 'program_time', 'location_name'])

/** Shown without their values. */
const longFields = new Set<Field>(['description', 'details', 'tags', 'links', 'do_not_record'])

export interface EventDifferences {
  change: Exclude<ProgramChange, 'new'>
  /** The fields that differ, in the organizer's words, short ones with the stored and the new value. */
  differences: string[]
  /** The only difference, if many sessions may have it in common, as of a renamed room. */
  sharedDifference?: string
}

/**
 * Compares the values that an import has for an event with the stored ones.
 * @param others differences in other respects
 */
export function compareEvent(to: Partial<EventRow>, from: EventRow, others: readonly string[] = []): EventDifferences {
  const values = withRoomFirst({ ...from, ...to }, to)
  const event = withRoomFirst(from, from)
  const fields = (Object.keys(fieldLabels) as Field[]).filter(
    (field) => values[field] !== undefined && values[field] !== event[field] && !followsStart(field, values, event),
  )
  const { is_cancelled = event.is_cancelled } = values
  const isBack = is_cancelled === 0 && event.is_cancelled === 1
  const differences = [
    ...fields.map((field) => describe(field, event[field], values[field] ?? null)),
    ...others,
    ...(isBack ? ['no longer cancelled'] : []),
  ]
  if (is_cancelled === 1 && event.is_cancelled === 0) return { change: 'cancelled', differences }
  const [only] = differences
  const isShared = differences.length === 1 && !isBack && fields.every((field) => field === 'location_name')
  return {
    change: changeOf(fields, differences),
    differences,
    ...(isShared && only !== undefined ? { sharedDifference: only } : {}),
  }
}

/** As organizers read it: `location_name` is the room, also where its building is known, and `venue` that building. */
const withRoomFirst = <R extends Partial<EventRow>>({ location_name, venue }: EventRow, row: R): R =>
  venue === '' ? row : { ...row, location_name: venue, venue: location_name }

/** Whether the day or time of an event is that of its start, before and after. */
function followsStart(field: Field, values: Partial<EventRow>, event: EventRow): boolean {
  if (field !== 'program_date' && field !== 'program_time') return false
  return isOfStart(field, values) && isOfStart(field, event)
}

function changeOf(fields: readonly Field[], differences: readonly string[]): EventDifferences['change'] {
  if (fields.includes('title')) return 'retitled'
  if (fields.some((field) => scheduleFields.has(field))) return 'moved'
  return differences.length > 0 ? 'changed' : 'unchanged'
}

type Value = string | number | null

const describe = (field: Field, from: Value, to: Value): string =>
  longFields.has(field) ? fieldLabels[field] : formatDifference(fieldLabels[field], formatValue(from), formatValue(to))

/** Drops the seconds of a timestamp; returns any other text unchanged. */
const formatValue = (value: Value): string => String(value ?? '').replace(/^(\d{4}-\d\d-\d\d \d\d:\d\d):\d\d$/, '$1')

/** Room and start of a session, for display. A session need not have a room. */
export const formatWhereAndWhen = (room: string, start: string | null): string =>
  [room, start?.slice(0, 16)].filter(Boolean).join(', ')
