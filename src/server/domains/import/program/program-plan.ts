import { formatDifference, truncate } from '../../../core/clean-text.ts'
import type { EventId } from '../../../core/ids.ts'
import {
  compareEvent,
  type EventDifferences,
  formatWhereAndWhen,
  type ProgramChange,
} from '../../program/event-differences.ts'
import { isExported } from '../source.ts'
import { createDayReader, slotOf } from './conference-days.ts'
import { fold } from './match-people.ts'
import { matchSessions } from './match-sessions.ts'
import { findLosses, type Losses } from './program-losses.ts'
import type { PartsPlan, PlannedPart, ResolvedSession } from './program-parts-plan.ts'
import {
  createKeyGenerator,
  type EventWithSpeakers as EventRow,
  type EventValues,
  hasGeneratedKey,
  toEvent,
  toEventAfter,
  toReferences,
  toShownEvent,
} from './session-event.ts'

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
  session: ResolvedSession
  values: EventValues
  /** The stored event; absent for a new session. */
  eventId?: EventId
}

/** A session that is no longer in the file. */
interface MissingSession {
  session?: undefined
  eventId: EventId
}

export interface ProgramPlan {
  sessions: PlannedSession[]
  /** The conference, rooms, tracks and speakers, in the order in which they are written. */
  parts: PlannedPart[]
  losses: Losses
  /** How many stored sessions stay as they are, because the file does not speak for their days. */
  leftAlone: number
  /** The sessions of the file with the id of one that is left alone. */
  withSharedId: ResolvedSession[]
  /** Those of which editors have changed something that is not published. */
  withDraft: PlannedSession[]
}

/** Whether an older spreadsheet would revert a session, which was changed since. */
export const isReverted = ({ change, session }: PlannedSession): boolean =>
  change !== 'unchanged' && session?.isStale === true

/** What the organizer says about a file. */
export interface FileScope {
  /** Whether it speaks only for the days that it has. */
  onlyDays?: boolean | undefined
  /** Whether it speaks only for the sessions that it has. Without either, it speaks for the whole program. */
  partial?: boolean | undefined
  /** Whether its sessions become drafts; otherwise attendees see them at once. */
  draft?: boolean | undefined
}

/**
 * Compares the sessions of a file with the events previously imported from the same source.
 * A session that is missing from the file, or cancelled in it, is cancelled and never deleted.
 * @param all every stored event
 * @param source the name of the program
 */
export function planProgram(
  { sessions, parts, stored, onlyNamed }: PartsPlan,
  all: readonly EventRow[],
  source: string,
  { onlyDays = false, partial = false, draft = false }: FileScope = {},
): ProgramPlan {
  const events = all.filter((event) => event.source === source && event.source_key !== '')
  const { candidates, spokenFor } = onlyDays
    ? findEventsOfDays(sessions, events)
    : { candidates: events, spokenFor: partial ? [] : events }
  const compared = new Set(candidates)
  const keysOfOthers = new Set(events.filter((event) => !compared.has(event)).map((event) => event.source_key))
  const own = sessions.map((session) => ({ ...session, key: freeKey(session, keysOfOthers) }))
  const matches = matchSessions(own, candidates, all, partial)
  const generateKey = createKeyGenerator(
    new Set([...events.map((event) => event.source_key), ...own.map(({ key }) => key)]),
  )
  const planned = own.map((session) => {
    const event = matches.get(session)
    // One of Summit's own spreadsheet may be of any program, or of none.
    const key =
      event && isExported(session)
        ? event.source_key
        : session.key || keyWithoutId(session, event) || generateKey(session.title, session.speakers[0]?.name ?? '')
    return planSession(event ? withStored(session, event, stored) : session, event, key, { partial, draft })
  })
  const found = new Set(matches.values())
  const notFound = new Set((partial ? all : events).filter((event) => !found.has(event) && !event.is_cancelled))
  const missing = spokenFor.filter((event) => notFound.has(event))
  const plan = [...planned, ...missing.map(planCancellation)]
  const drafted = new Set(all.flatMap(({ id, draft }) => (draft === '' ? [] : [id])))
  const used = new Set<PlannedPart | undefined>(
    planned.flatMap(({ session }) => (session ? [session.inRoom, session.inTrack, ...session.people] : [])),
  )
  return {
    sessions: plan,
    parts: parts.filter((part) => used.has(part) || !onlyNamed.has(part)),
    // A file with some sessions may have the ids of others, as one that numbers its rows.
    losses: findLosses(plan, partial ? candidates.filter((event) => found.has(event)) : spokenFor),
    leftAlone: notFound.size - missing.length,
    withSharedId: sessions.filter(({ key }) => keysOfOthers.has(key)),
    withDraft: draft
      ? []
      : plan.filter(({ change, eventId }) => change !== 'unchanged' && eventId && drafted.has(eventId)),
  }
}

/**
 * Finds the events of the conference days that a file has. One at night may be of that day or of the day before, so a file
 * of one of them recognizes it by id and start, or title and day, and does not cancel it.
 */
function findEventsOfDays(sessions: readonly ResolvedSession[], events: readonly EventRow[]) {
  const slots = sessions.map(slotOf)
  const days = new Set(slots.map(createDayReader(slots)))
  const idsAndStarts = new Set(sessions.map(({ key, startsAt }) => `${key} ${startsAt}`))
  const titlesAndDays = new Set(sessions.map(({ title, day }) => `${title.toLowerCase()} ${day}`))
  const dayOf = createDayReader(events)
  const isAtNight = (event: EventRow) => dayOf(event) !== event.program_date
  const isSpokenFor = (event: EventRow) => days.has(dayOf(event)) && (!isAtNight(event) || days.has(event.program_date))
  const isInFile = ({ source_key, date_from, title, program_date }: EventRow) =>
    idsAndStarts.has(`${source_key} ${date_from}`) || titlesAndDays.has(`${title.toLowerCase()} ${program_date}`)
  return {
    spokenFor: events.filter(isSpokenFor),
    candidates: events.filter((event) => isSpokenFor(event) || (isAtNight(event) && isInFile(event))),
  }
}

/** The key of a session, with its day if one of another day has it: files for each day may number their sessions anew. */
function freeKey({ key, day }: Pick<ResolvedSession, 'key' | 'day'>, taken: ReadonlySet<string>): string {
  if (!taken.has(key)) return key
  const withDay = truncate(`${day} ${key}`, 255)
  // One that has nothing but days gets no other: the session counts as one without an id.
  return withDay === key ? '' : freeKey({ key: withDay, day }, taken)
}

/** The stored key, unless it was made up from another title: {@link hasGeneratedKey} would not recognize it any more. */
function keyWithoutId(session: ResolvedSession, event: EventRow | undefined): string | undefined {
  if (!event) return undefined
  const { source_key } = event
  return hasGeneratedKey(event) && !hasGeneratedKey({ source_key, title: session.title }) ? undefined : source_key
}

/**
 * A session with what its event refers to where the file says nothing else. The room also stays if it can be the one that the
 * file names: an organizer may have corrected its address, or said which room of a building it is.
 */
function withStored(session: ResolvedSession, event: EventRow, stored: PartsPlan['stored']): ResolvedSession {
  const { room: named, unsaid } = session
  const room = event.room_id === null ? undefined : stored.room.get(event.room_id)
  const track = event.track_id === null ? undefined : stored.track.get(event.track_id)
  const names = room && [room.values.name, room.values.building ?? '']
  const isNamed = named !== '' && names?.some((name) => fold(name) === fold(named))
  return {
    ...session,
    inRoom: unsaid?.has('room') || isNamed ? room : session.inRoom,
    inTrack: unsaid?.has('track') ? track : session.inTrack,
    people: unsaid?.has('speakers') ? event.speakers.flatMap((id) => stored.speaker.get(id) ?? []) : session.people,
  }
}

function planSession(
  session: ResolvedSession,
  event: EventRow | undefined,
  key: string,
  { partial, draft }: { partial: boolean; draft: boolean },
): PlannedSession {
  const values = event ? toEventAfter(session, event, partial) : toEvent(session)
  const shown = toShownEvent(session, values)
  const whereAndWhen = formatWhereAndWhen(shown.venue || shown.location_name, values.date_from)
  const planned = { title: values.title, whereAndWhen, session, values, key }
  if (!event) return { ...planned, change: 'new', differences: [] }
  const isIdNew = session.key !== '' && key !== event.source_key
  const idChange = hasGeneratedKey(event) ? 'id added' : formatDifference('id', event.source_key, key)
  const others = [...(isIdNew ? [idChange] : []), ...compareReferences(session, shown, event)]
  if (event.is_deleted === 1 && !draft) others.push('published')
  return { ...planned, ...compareEvent(shown, event, others), eventId: event.id }
}

/** What an event refers to, where its texts are the same: speakers that were one record until now, or a track. */
function compareReferences(
  session: ResolvedSession,
  shown: ReturnType<typeof toShownEvent>,
  event: EventRow,
): string[] {
  const { room_id, track_id, speakers } = toReferences(session)
  const hasNewSpeaker = session.people.some(({ id }) => id === undefined)
  const isSamePlace = (['location_name', 'location_address', 'venue'] as const).every(
    (column) => shown[column] === event[column],
  )
  const areSameTexts = (['speaker', 'position', 'company'] as const).every((column) => shown[column] === event[column])
  return [
    ...(isSamePlace && room_id !== event.room_id ? ['room'] : []),
    ...(track_id !== event.track_id || (track_id === null && session.inTrack) ? ['track'] : []),
    ...(areSameTexts && (hasNewSpeaker || speakers.join() !== event.speakers.join()) ? ['speakers'] : []),
  ]
}

const planCancellation = (event: EventRow): PlannedSession => ({
  change: 'cancelled',
  title: event.title,
  whereAndWhen: formatWhereAndWhen(event.location_name, event.date_from),
  differences: [],
  key: event.source_key,
  eventId: event.id,
})

/** New sessions that a program of another name has already. */
export interface SameProgram {
  source: string
  /** How many of the new sessions. */
  count: number
  /** All new sessions. */
  all: number
}

/**
 * Finds the program that holds most of the new sessions of a plan, by id or by title and start.
 * @param others the events of programs of other names
 * @returns none if each of these programs has less than half of the new sessions
 */
export function findSameProgram(plan: readonly PlannedSession[], others: readonly EventRow[]): SameProgram | undefined {
  const added = plan.flatMap(({ change, session }) => (change === 'new' && session ? [session] : []))
  const programs = Map.groupBy(
    others.filter((event) => event.is_cancelled === 0),
    (event) => event.source,
  )
  const found = [...programs].map(([source, events]): SameProgram => {
    const keys = new Set(events.map((event) => event.source_key))
    const slots = new Set(events.map(({ title, date_from }) => titleAndStart(title, date_from)))
    const known = added.filter(({ key, title, startsAt }) => keys.has(key) || slots.has(titleAndStart(title, startsAt)))
    return { source, count: known.length, all: added.length }
  })
  return found.filter(({ count, all }) => count > 0 && 2 * count >= all).sort((a, b) => b.count - a.count)[0]
}

const titleAndStart = (title: string, start: string | null): string => `${start} ${title.toLowerCase()}`
