import { isExported } from '../source.ts'
import { isResembling } from '../text/resemblance.ts'
import type { ResolvedSession } from './program-parts-plan.ts'
import { type EventWithSpeakers as EventRow, hasGeneratedKey, toShownEvent } from './session-event.ts'

interface Pass {
  /** The traits that have to be equal. */
  same: readonly (keyof Traits)[]
  /** One of them that must not be empty. */
  filled?: keyof Traits
  /** Whether only events that are not cancelled may match: otherwise the session is more likely to be a new one. */
  isLive?: true
  /**
   * Whether the title may differ, on the same day. Then the title must be new and the pair the only possible one: the
   * session may also have been replaced by another.
   */
  isRetitled?: true
  /** Whether the titles have to resemble each other. */
  resembles?: true
}

/**
 * The ways to recognize a session, the surest first (decision 55). Sessions of one title are told apart by start and
 * room, then by one of them; the order of rows decides last.
 */
const passes: readonly Pass[] = [
  { same: ['title', 'speakers', 'start', 'room'] },
  { same: ['title', 'start', 'room'] },
  { same: ['title', 'speakers', 'start'] },
  { same: ['title', 'start'] },
  { same: ['title', 'speakers', 'room', 'day'] },
  { same: ['title', 'room', 'day'] },
  { same: ['title', 'speakers', 'room'], filled: 'speakers' },
  { same: ['title', 'speakers', 'day'], filled: 'speakers' },
  { same: ['title', 'speakers'], filled: 'speakers' },
  { same: ['speakers', 'start', 'room'], filled: 'speakers', isLive: true, isRetitled: true },
  { same: ['start', 'room'], isLive: true, isRetitled: true, resembles: true },
  { same: ['title', 'room'], isLive: true },
  { same: ['speakers', 'start'], filled: 'speakers', isLive: true, isRetitled: true },
  { same: ['speakers', 'room', 'day'], filled: 'speakers', isLive: true, isRetitled: true },
  { same: ['title', 'day'], isLive: true },
  { same: ['title'], isLive: true },
]

/** The ways to recognize a session whose id has changed, as in an export of another tool. */
const passesOfOtherIds = passes.filter(
  ({ same }) => same.length > 2 && same.includes('title') && same.includes('start'),
)

/** The ways in a file with some sessions: another with that title may be one more. */
const passesOfPart = passes.filter(({ same }) => same.includes('title') && same.includes('start'))

type Matches = Map<ResolvedSession, EventRow>

/**
 * Finds the stored event of each session of a file, at most one for each: by the id in the file, otherwise by its
 * values. A session whose id is not stored may be one that had none, or another, in an earlier file.
 * @param events of the program
 * @param all the events of all programs, which are in Summit's own spreadsheet
 * @param isPartial whether the file has only some of the sessions
 * @returns no entry for a new session
 */
export function matchSessions(
  sessions: readonly ResolvedSession[],
  events: readonly EventRow[],
  all: readonly EventRow[] = events,
  isPartial = false,
): Matches {
  const matches: Matches = new Map()
  const eventByGuid = new Map(all.map((event) => [event.guid, event]))
  for (const session of sessions) {
    const event = isExported(session) ? eventByGuid.get(session.guid) : undefined
    if (event) matches.set(session, event)
  }
  const eventByKey = new Map(events.map((event) => [event.source_key, event]))
  const [withoutId = [], withId = []] = [true, false].map((lacksId) =>
    sessions.filter(({ key }) => (key === '') === lacksId),
  )
  for (const session of withId) {
    const event = eventByKey.get(session.key)
    if (event) matches.set(session, event)
  }
  addMatchesByValues(withoutId, events, matches, isPartial ? passesOfPart : passes)
  addMatchesByValues(withId, events.filter(hasGeneratedKey), matches, passes)
  addMatchesByValues(withId, events, matches, passesOfOtherIds)
  return matches
}

interface Candidate<Item> {
  item: Item
  title: string
  fingerprint: string
  traits: Traits
}

/** Adds the matches among the sessions and events that have none yet. */
function addMatchesByValues(
  sessions: readonly ResolvedSession[],
  events: readonly EventRow[],
  matches: Matches,
  allowed: readonly Pass[],
): void {
  const newSessions = new Set(
    sessions.filter((session) => !matches.has(session)).map((session) => toCandidate(session, toShownEvent(session))),
  )
  if (newSessions.size === 0) return
  const taken = new Set(matches.values())
  const freeEvents = new Set(
    events
      .filter((event) => !taken.has(event))
      .toSorted((a, b) => a.is_cancelled - b.is_cancelled)
      .map((event) => toCandidate(event, event)),
  )
  const match = (session: Candidate<ResolvedSession>, event: Candidate<EventRow>) => {
    matches.set(session.item, event.item)
    newSessions.delete(session)
    freeEvents.delete(event)
  }
  // Equal in everything first, so that importing the same file again changes nothing.
  for (const group of pair(newSessions, freeEvents, (candidate) => candidate.fingerprint)) matchInOrder(group, match)
  for (const pass of allowed) {
    const titles = new Set([...freeEvents].map(({ traits }) => traits.title))
    const possible = pass.isLive ? [...freeEvents].filter(({ item }) => item.is_cancelled === 0) : freeEvents
    for (const group of pair(newSessions, possible, ({ traits }) => keyFor(pass, traits))) {
      if (!pass.isRetitled || isRetitlePair(group, pass, titles)) matchInOrder(group, match)
    }
  }
}

const toCandidate = <Item>(item: Item, values: Parameters<typeof fingerprint>[0]): Candidate<Item> => ({
  item,
  title: values.title,
  fingerprint: fingerprint(values),
  traits: traitsOf(values),
})

const keyFor = ({ same, filled }: Pass, traits: Traits): string | undefined =>
  filled && traits[filled] === '' ? undefined : JSON.stringify(same.map((trait) => traits[trait]))

interface Group {
  sessions: Candidate<ResolvedSession>[]
  events: Candidate<EventRow>[]
}

/** Groups sessions and events with the same key; those without a key are left out. */
function pair(
  sessions: Iterable<Group['sessions'][number]>,
  events: Iterable<Group['events'][number]>,
  keyOf: (candidate: Candidate<unknown>) => string | undefined,
): Group[] {
  const eventsByKey = Map.groupBy(events, keyOf)
  return [...Map.groupBy(sessions, keyOf)].flatMap(([key, group]) => {
    const found = key === undefined ? undefined : eventsByKey.get(key)
    return found ? [{ sessions: group, events: found }] : []
  })
}

function matchInOrder(
  { sessions, events }: Group,
  match: (session: Group['sessions'][number], event: Group['events'][number]) => void,
): void {
  for (const [index, session] of sessions.entries()) {
    const event = events[index]
    if (event) match(session, event)
  }
}

function isRetitlePair({ sessions, events }: Group, { resembles }: Pass, storedTitles: ReadonlySet<string>): boolean {
  const [session, event] = [sessions[0], events[0]]
  if (!session || !event || sessions.length > 1 || events.length > 1) return false
  return !storedTitles.has(session.traits.title) && (!resembles || isResembling(session.title, event.title))
}

/** The values of an event that come from its source. */
const sourceColumns = [
  ...(['title', 'date_from', 'date_to', 'program_date', 'program_time', 'location_name', 'venue'] as const),
  ...(['speaker', 'position', 'company', 'description', 'details', 'is_cancelled'] as const),
] as const satisfies readonly (keyof EventRow)[]

type SourceValues = Pick<EventRow, (typeof sourceColumns)[number]>

/** Equal for events with the same values. */
const fingerprint = (values: SourceValues): string => JSON.stringify(sourceColumns.map((column) => values[column]))

/** The values by which a session without an id is recognized, without regard to case. */
interface Traits {
  title: string
  speakers: string
  start: string
  day: string
  room: string
}

const traitsOf = ({ title, speaker, date_from, location_name, venue }: SourceValues): Traits => ({
  title: title.toLowerCase(),
  speakers: speaker.toLowerCase(),
  start: date_from ?? '',
  day: (date_from ?? '').slice(0, 10),
  room: (venue || location_name).toLowerCase(),
})
