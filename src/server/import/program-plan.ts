import type { EventId } from '../core/ids.ts'
import type { Row } from '../db/tables.ts'
import type { Activity, NewEvent } from '../program/events.ts'
import { difference } from './difference.ts'
import { joined } from './joined.ts'
import type { SourceSession } from './source.ts'

export const programChanges = ['new', 'changed', 'moved', 'cancelled', 'unchanged'] as const
export type ProgramChange = (typeof programChanges)[number]

/** What an import would do to one session. */
export interface PlannedSession {
  change: ProgramChange
  title: string
  /** Where and when it takes place, for a person. */
  place: string
  /**
   * What differs, in the organizer's words, where and when with what is there and what is to be; empty for one that is
   * new, cancelled or unchanged.
   */
  differences: string[]
  /** The session of the file; absent for one that has vanished from it. */
  session?: SourceSession
  /** The event that it is already; absent for a new one. */
  eventId?: EventId
}

type Known = Row<'event'>

/** The columns of an event that come from its source, with what each is called in a plan. */
const fields = {
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
} as const satisfies Partial<Record<keyof Known, string>>

type Field = keyof typeof fields

/** Where and when: what differs in these is moved. */
const places = new Set<Field>(['date_from', 'date_to', 'program_date', 'location_name'])

/**
 * Compares the sessions of a file with the events that were imported under the same source before.
 * A session that has vanished from the file, or is cancelled in it, becomes cancelled and is never deleted.
 */
export function planProgram(sessions: readonly SourceSession[], events: readonly Known[]): PlannedSession[] {
  const known = new Map(events.map((event) => [event.source_key, event]))
  const planned = sessions.map((session) => planSession(session, known.get(session.key)))
  const present = new Set(sessions.map((session) => session.key))
  const vanished = events.filter((event) => !present.has(event.source_key) && !event.is_cancelled)
  return [...planned, ...vanished.map(planVanished)]
}

function planSession(session: SourceSession, event: Known | undefined): PlannedSession {
  const planned = { title: session.title, place: placeOf(session.room, session.startsAt), session }
  if (!event) return { ...planned, change: 'new', differences: [] }
  const values = toEvent(session)
  const differing = differingFields(values, event)
  const differences = differing.map((field) =>
    places.has(field) ? difference(fields[field], written(event[field]), written(values[field])) : fields[field],
  )
  if (session.cancelled && !event.is_cancelled)
    return { ...planned, change: 'cancelled', differences, eventId: event.id }
  if (!session.cancelled && event.is_cancelled) differences.push('takes place again')
  const change =
    differences.length === 0 ? 'unchanged' : differing.some((field) => places.has(field)) ? 'moved' : 'changed'
  return { ...planned, change, differences, eventId: event.id }
}

/** Where and when; a session need not have a room. */
const placeOf = (room: string, start: string | null): string => [room, start?.slice(0, 16)].filter(Boolean).join(', ')

const planVanished = (event: Known): PlannedSession => ({
  change: 'cancelled',
  title: event.title,
  place: placeOf(event.location_name, event.date_from),
  differences: [],
  eventId: event.id,
})

const differingFields = (values: ReturnType<typeof toEvent>, event: Known): Field[] =>
  (Object.keys(fields) as Field[]).filter((field) => values[field] !== event[field])

/** A timestamp without its seconds, any other text as it is. */
const written = (value: string | null): string => (value ?? '').replace(/^(\d{4}-\d\d-\d\d \d\d:\d\d):\d\d$/, '$1')

/** The event that a session is: its room as location, its speakers in one line. */
export const toEvent = (session: SourceSession) =>
  ({
    title: session.title,
    date_from: session.startsAt,
    date_to: session.endsAt,
    program_date: session.day,
    program_time: session.startsAt.slice(11),
    location_name: session.room,
    speaker: joined(session.speakers.map((speaker) => speaker.name)),
    position: joined(session.speakers.map((speaker) => speaker.position)),
    company: joined(session.speakers.map((speaker) => speaker.company)),
    description: session.description,
    details: session.details,
    is_cancelled: session.cancelled ? 1 : 0,
  }) satisfies NewEvent

/** Its schedule: itself, on the conference day that the source says. */
export const toActivities = ({ day, startsAt, title }: SourceSession): Activity[] => [
  { date: day, time: startsAt.slice(11), title },
]
