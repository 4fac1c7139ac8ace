import type { EventId } from '../core/ids.ts'
import { formatDifference } from './difference.ts'
import { compareEvent, type EventDifferences, formatWhereAndWhen, type ProgramChange } from './event-differences.ts'
import { matchSessions } from './match-sessions.ts'
import { type EventRow, toEvent } from './session-event.ts'
import { createKeyGenerator, hasGeneratedKey } from './session-keys.ts'
import type { SourceSession } from './source.ts'

/** The change that an import would make to one session; without differences if it is new, or missing from the file. */
export type PlannedSession = PlannedChange & (SessionInFile | MissingSession)

interface PlannedChange extends Omit<EventDifferences, 'change'> {
  change: ProgramChange
  title: string
  /** Room and start, for display. */
  whereAndWhen: string
  /** Identifies the event within its source from now on. */
  key: string
}

interface SessionInFile {
  session: SourceSession
  /** The stored event; absent for a new session. */
  eventId?: EventId
}

/** A session that is no longer in the file. */
interface MissingSession {
  session?: undefined
  eventId: EventId
}

/**
 * Compares the sessions of a file with the events previously imported from the same source.
 * A session that is missing from the file, or cancelled in it, is cancelled and never deleted.
 */
export function planProgram(sessions: readonly SourceSession[], events: readonly EventRow[]): PlannedSession[] {
  const matches = matchSessions(sessions, events)
  const generateKey = createKeyGenerator(
    new Set([...events.map((event) => event.source_key), ...sessions.map(({ key }) => key)]),
  )
  const planned = sessions.map((session) => {
    const event = matches.get(session)
    return planSession(
      session,
      event,
      session.key || keyWithoutId(session, event) || generateKey(session.title, session.speakers[0]?.name ?? ''),
    )
  })
  const found = new Set(matches.values())
  const missing = events.filter((event) => !found.has(event) && !event.is_cancelled)
  return [...planned, ...missing.map(planCancellation)]
}

/** The stored key, unless it was made up from another title: {@link hasGeneratedKey} would not recognize it any more. */
function keyWithoutId(session: SourceSession, event: EventRow | undefined): string | undefined {
  if (!event) return undefined
  const { source_key } = event
  return hasGeneratedKey(event) && !hasGeneratedKey({ source_key, title: session.title }) ? undefined : source_key
}

function planSession(session: SourceSession, event: EventRow | undefined, key: string): PlannedSession {
  const whereAndWhen = formatWhereAndWhen(session.room, session.startsAt)
  const planned = { title: session.title, whereAndWhen, session, key }
  if (!event) return { ...planned, change: 'new', differences: [] }
  const isIdNew = session.key !== '' && key !== event.source_key
  const idChange = hasGeneratedKey(event) ? 'id added' : formatDifference('id', event.source_key, key)
  return { ...planned, ...compareEvent(toEvent(session), event, isIdNew ? [idChange] : []), eventId: event.id }
}

const planCancellation = (event: EventRow): PlannedSession => ({
  change: 'cancelled',
  title: event.title,
  whereAndWhen: formatWhereAndWhen(event.location_name, event.date_from),
  differences: [],
  key: event.source_key,
  eventId: event.id,
})
