import type { EventId } from '../core/ids.ts'
import type { Row } from '../db/tables.ts'
import type { Activity, NewEvent } from '../program/events.ts'
import { formatDifference } from './difference.ts'
import { joinDistinct } from './join-distinct.ts'
import type { SourceSession } from './source.ts'

export const programChanges = ['new', 'changed', 'moved', 'cancelled', 'unchanged'] as const
export type ProgramChange = (typeof programChanges)[number]

/** The change that an import would make to one session. */
export interface PlannedSession {
  change: ProgramChange
  title: string
  /** Room and start, for display. */
  whereAndWhen: string
  /**
   * The fields that differ, in the organizer's words; room, day and times with the stored and the new value. Empty if
   * the session is new, unchanged or missing from the file.
   */
  differences: string[]
  /** Absent if the session is no longer in the file. */
  session?: SourceSession
  /** The stored event; absent for a new session. */
  eventId?: EventId
}

type StoredEvent = Row<'event'>

/** The columns of an event that come from its source, with their names in a plan. */
const fieldLabels = {
  title: 'title',
  date_from: 'start',
  date_to: 'end',
  program_date: 'day',
  location_name: 'room',
  speaker: 'speakers',
  position: 'position',
  company: 'company',
  description: 'description',
  details: 'details',
} as const satisfies Partial<Record<keyof StoredEvent, string>>

type Field = keyof typeof fieldLabels

/** A session that differs in one of these has moved. */
const scheduleFields = new Set<Field>(['date_from', 'date_to', 'program_date', 'location_name'])

/**
 * Compares the sessions of a file with the events previously imported from the same source.
 * A session that is missing from the file, or cancelled in it, is cancelled and never deleted.
 */
export function planProgram(sessions: readonly SourceSession[], events: readonly StoredEvent[]): PlannedSession[] {
  const eventByKey = new Map(events.map((event) => [event.source_key, event]))
  const planned = sessions.map((session) => planSession(session, eventByKey.get(session.key)))
  const keysInFile = new Set(sessions.map((session) => session.key))
  const missing = events.filter((event) => !keysInFile.has(event.source_key) && !event.is_cancelled)
  return [...planned, ...missing.map(planCancellation)]
}

function planSession(session: SourceSession, event: StoredEvent | undefined): PlannedSession {
  const planned = { title: session.title, whereAndWhen: formatWhereAndWhen(session.room, session.startsAt), session }
  if (!event) return { ...planned, change: 'new', differences: [] }
  const values = toEvent(session)
  const differing = differingFields(values, event)
  const differences = differing.map((field) =>
    scheduleFields.has(field)
      ? formatDifference(fieldLabels[field], formatValue(event[field]), formatValue(values[field]))
      : fieldLabels[field],
  )
  if (session.cancelled && !event.is_cancelled)
    return { ...planned, change: 'cancelled', differences, eventId: event.id }
  if (!session.cancelled && event.is_cancelled) differences.push('no longer cancelled')
  const change =
    differences.length === 0 ? 'unchanged' : differing.some((field) => scheduleFields.has(field)) ? 'moved' : 'changed'
  return { ...planned, change, differences, eventId: event.id }
}

/** A session need not have a room. */
const formatWhereAndWhen = (room: string, start: string | null): string =>
  [room, start?.slice(0, 16)].filter(Boolean).join(', ')

const planCancellation = (event: StoredEvent): PlannedSession => ({
  change: 'cancelled',
  title: event.title,
  whereAndWhen: formatWhereAndWhen(event.location_name, event.date_from),
  differences: [],
  eventId: event.id,
})

const differingFields = (values: ReturnType<typeof toEvent>, event: StoredEvent): Field[] =>
  (Object.keys(fieldLabels) as Field[]).filter((field) => values[field] !== event[field])

/** Drops the seconds of a timestamp; returns any other text unchanged. */
const formatValue = (value: string | null): string => (value ?? '').replace(/^(\d{4}-\d\d-\d\d \d\d:\d\d):\d\d$/, '$1')

/** The event for a session: the room becomes its location, the speakers one line. */
export const toEvent = (session: SourceSession) =>
  ({
    title: session.title,
    date_from: session.startsAt,
    date_to: session.endsAt,
    program_date: session.day,
    program_time: session.startsAt.slice(11),
    location_name: session.room,
    speaker: joinDistinct(session.speakers.map((speaker) => speaker.name)),
    position: joinDistinct(session.speakers.map((speaker) => speaker.position)),
    company: joinDistinct(session.speakers.map((speaker) => speaker.company)),
    description: session.description,
    details: session.details,
    is_cancelled: session.cancelled ? 1 : 0,
  }) satisfies NewEvent

/** The schedule of a session's event: one activity, the session itself, on its conference day. */
export const toActivities = ({ day, startsAt, title }: SourceSession): Activity[] => [
  { date: day, time: startsAt.slice(11), title },
]
