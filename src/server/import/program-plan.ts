import type { EventId } from '../core/ids.ts'
import { formatDifference } from './difference.ts'
import { matchSessions } from './match-sessions.ts'
import { type StoredEvent, toEvent } from './session-event.ts'
import { createKeyMaker, hasMadeUpKey } from './session-keys.ts'
import type { SourceSession } from './source.ts'

export const programChanges = ['new', 'moved', 'retitled', 'changed', 'cancelled', 'unchanged'] as const
export type ProgramChange = (typeof programChanges)[number]

/** The change that an import would make to one session. */
export interface PlannedSession {
  change: ProgramChange
  title: string
  /** Room and start, for display. */
  whereAndWhen: string
  /**
   * The fields that differ, in the organizer's words, short ones with the stored and the new value. Empty if the session is
   * new, unchanged or missing from the file.
   */
  differences: string[]
  /** The only difference, if many sessions may have it in common: that of a renamed room, or of ids that were added. */
  sharedDifference?: string
  /** Absent if the session is no longer in the file. */
  session?: SourceSession
  /** Identifies the event within its source from now on. */
  key: string
  /** The stored event; absent for a new session. */
  eventId?: EventId
}

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

/** Shown without their values. */
const longFields = new Set<Field>(['description', 'details'])

/**
 * Compares the sessions of a file with the events previously imported from the same source.
 * A session that is missing from the file, or cancelled in it, is cancelled and never deleted.
 */
export function planProgram(sessions: readonly SourceSession[], events: readonly StoredEvent[]): PlannedSession[] {
  const matches = matchSessions(sessions, events)
  const makeKey = createKeyMaker(
    new Set([...events.map((event) => event.source_key), ...sessions.map(({ key }) => key)]),
  )
  const planned = sessions.map((session) => {
    const event = matches.get(session)
    return planSession(session, event, session.key || keyWithoutId(session, event) || makeKey(session))
  })
  const found = new Set(matches.values())
  const missing = events.filter((event) => !found.has(event) && !event.is_cancelled)
  return [...planned, ...missing.map(planCancellation)]
}

/** The stored key, unless it was made up from another title: {@link hasMadeUpKey} would not recognise it any more. */
function keyWithoutId(session: SourceSession, event: StoredEvent | undefined): string | undefined {
  if (!event) return undefined
  const { source_key } = event
  return hasMadeUpKey(event) && !hasMadeUpKey({ source_key, title: session.title }) ? undefined : source_key
}

function planSession(session: SourceSession, event: StoredEvent | undefined, key: string): PlannedSession {
  const whereAndWhen = formatWhereAndWhen(session.room, session.startsAt)
  const planned = { title: session.title, whereAndWhen, session, key }
  if (!event) return { ...planned, change: 'new', differences: [] }
  const values = toEvent(session)
  const differing = (Object.keys(fieldLabels) as Field[]).filter((field) => values[field] !== event[field])
  const differences = differing.map((field) =>
    longFields.has(field)
      ? fieldLabels[field]
      : formatDifference(fieldLabels[field], formatValue(event[field]), formatValue(values[field])),
  )
  if (session.key !== '' && key !== event.source_key) differences.push('id added')
  const compared = { ...planned, differences, eventId: event.id }
  if (session.cancelled && !event.is_cancelled) return { ...compared, change: 'cancelled' }
  if (!session.cancelled && event.is_cancelled) differences.push('no longer cancelled')
  const [only, ...others] = differences
  const isShared =
    only !== undefined && others.length === 0 && (differing.length === 0 || differing[0] === 'location_name')
  return {
    ...compared,
    ...(isShared ? { sharedDifference: only } : {}),
    change: changeOf(differing, differences),
  }
}

function changeOf(differing: readonly Field[], differences: readonly string[]): ProgramChange {
  if (differing.includes('title')) return 'retitled'
  if (differing.some((field) => scheduleFields.has(field))) return 'moved'
  return differences.length > 0 ? 'changed' : 'unchanged'
}

/** A session need not have a room. */
const formatWhereAndWhen = (room: string, start: string | null): string =>
  [room, start?.slice(0, 16)].filter(Boolean).join(', ')

const planCancellation = (event: StoredEvent): PlannedSession => ({
  change: 'cancelled',
  title: event.title,
  whereAndWhen: formatWhereAndWhen(event.location_name, event.date_from),
  differences: [],
  key: event.source_key,
  eventId: event.id,
})

/** Drops the seconds of a timestamp; returns any other text unchanged. */
const formatValue = (value: string | null): string => (value ?? '').replace(/^(\d{4}-\d\d-\d\d \d\d:\d\d):\d\d$/, '$1')
