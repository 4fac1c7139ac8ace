import { truncate } from '../../../core/clean-text.ts'
import type { RoomId, SpeakerId, TrackId } from '../../../core/ids.ts'
import type { Activity, NewEvent } from '../../program/events.ts'
import { projectPlace, projectSpeakers } from '../../program/projection.ts'
import type { NewProgramRecord } from '../../program/records.ts'
import { parseList } from '../../program/schedule.ts'
import type { ShownEvent } from '../../program/stored-events.ts'
import { linkRelations, type SessionPart, type SourceSession } from '../source.ts'
import { formatWall, type Wall } from '../times/wall-clock.ts'
import type { ResolvedSession } from './program-parts-plan.ts'

export type EventRow = ShownEvent

/** A stored event with its speakers. */
export type EventWithSpeakers = EventRow & { speakers: readonly SpeakerId[] }

/** The values of the event for a session, but for what it refers to. */
export const toEvent = (session: SourceSession) =>
  ({
    title: session.title,
    subtitle: session.subtitle,
    date_from: session.startsAt,
    date_to: session.endsAt,
    program_date: session.day,
    program_time: session.startsAt.slice(11),
    description: session.description,
    details: session.details,
    type: session.type,
    language: session.language,
    tags: JSON.stringify(session.tags),
    links: JSON.stringify(session.links),
    code: session.code,
    slug: session.slug,
    license: session.license,
    do_not_record: session.doNotRecord ? 1 : 0,
    ...(session.guid !== '' && { guid: session.guid }),
    is_cancelled: session.cancelled ? 1 : 0,
  }) satisfies Partial<NewEvent>

export type EventValues = ReturnType<typeof toEvent>

/** The parts of a session in the columns of its event. */
const partOf: Record<Exclude<keyof EventValues, 'guid' | 'links' | 'is_cancelled'>, SessionPart> = {
  ...{ title: 'title', subtitle: 'subtitle', date_from: 'startsAt', date_to: 'endsAt', program_date: 'day' },
  ...{ program_time: 'startsAt', description: 'description', details: 'details', type: 'type', language: 'language' },
  ...{ tags: 'tags', code: 'code', slug: 'slug', license: 'license', do_not_record: 'doNotRecord' },
}

/**
 * The values of a stored event after an import: its own where the file says nothing.
 * @param isPartial whether a session that is in the file need not take place for that reason
 */
export function toEventAfter(session: SourceSession, event: EventRow, isPartial: boolean): EventValues {
  const { unsaid = new Set(), startsAt, cancelled } = session
  const values = toEvent(session)
  const isMoved = !unsaid.has('startsAt') && startsAt !== event.date_from
  const own = Object.entries(partOf).flatMap(([column, part]) => {
    const followsStart = part === 'endsAt' || part === 'day'
    return unsaid.has(part) && !(isMoved && followsStart) ? [[column, event[column as keyof EventRow]] as const] : []
  })
  const staysCancelled = isPartial && unsaid.has('cancelled') && event.is_cancelled === 1
  return {
    ...values,
    ...(Object.fromEntries(own) as Partial<EventValues>),
    ...(isMoved && unsaid.has('endsAt') && { date_to: formatWall(readWall(startsAt) + lengthOf(event)) }),
    links: linksAfter(session, event),
    is_cancelled: cancelled || staysCancelled ? 1 : 0,
  }
}

const readWall = (timestamp: string): Wall => Date.parse(`${timestamp.replace(' ', 'T')}Z`)

const lengthOf = ({ date_from, date_to }: EventRow): number =>
  Math.max(0, readWall(date_to ?? '') - readWall(date_from ?? '')) || 0

/** The links of the session, and of relations of which the file says nothing, those of the event. */
function linksAfter({ links, unsaid }: SourceSession, event: EventRow): string {
  if (!unsaid) return JSON.stringify(links)
  const said: ReadonlySet<string> = new Set(linkRelations.filter((relation) => !unsaid.has(relation)))
  const stored = parseList<SourceSession['links'][number]>(event.links)
  const merged = [...links.filter(({ rel }) => said.has(rel)), ...stored.filter(({ rel }) => !said.has(rel))]
  const byRelation = (list: typeof links) => JSON.stringify(list.toSorted((a, b) => a.rel.localeCompare(b.rel)))
  return byRelation(merged) === byRelation(stored) ? event.links : JSON.stringify(merged)
}

const placeOf = ({ name, building, address = '' }: NewProgramRecord<'room'>) => ({
  name,
  building: building ?? null,
  address,
})

/** The event for a session as it is shown: with the texts of its room and speakers. */
export const toShownEvent = (session: ResolvedSession, values: EventValues = toEvent(session)) => ({
  ...values,
  ...projectPlace(session.inRoom && placeOf(session.inRoom.values)),
  ...projectSpeakers(
    session.people.map(({ values: { position = '', company = '', name } }) => ({ name, position, company })),
  ),
})

/** What the event for a session refers to. What is new has to be written before. */
export const toReferences = ({ inRoom, inTrack, people }: ResolvedSession) => ({
  room_id: (inRoom?.id as RoomId | undefined) ?? null,
  track_id: (inTrack?.id as TrackId | undefined) ?? null,
  speakers: people.flatMap(({ id }) => (id === undefined ? [] : [id as SpeakerId])),
})

/** The schedule of a session's event: one activity, the session itself, on its conference day. */
export const toActivities = ({
  program_date: date,
  program_time: time,
  title,
}: Pick<EventRow, 'program_date' | 'program_time' | 'title'>): Activity[] => [{ date, time, title }]

/** Leaves room for a number within the 255 characters of a key. */
const maxNameLength = 240

const keyNameOf = (...parts: string[]): string =>
  truncate(parts.filter(Boolean).join(' / ').toLowerCase(), maxNameLength)

/** Whether an event was imported without an id, so that its key was generated from its title. */
export function hasGeneratedKey({ source_key, title }: Pick<EventRow, 'source_key' | 'title'>): boolean {
  const start = keyNameOf(title)
  return source_key === start || source_key.startsWith(`${start} `)
}

/**
 * Creates a function that generates the key of a session without an id from its title and first speaker, with a number
 * if that key is taken. The key only has to be unique: such a session is recognized by its values (`matchSessions`).
 * @param taken the keys in use; generated ones are added
 */
export function createKeyGenerator(taken: Set<string>): (title: string, speaker: string) => string {
  const lastNumbers = new Map<string, number>()
  return (title, speaker) => {
    const name = keyNameOf(title, speaker)
    let number = lastNumbers.get(name) ?? 0
    let key: string
    do {
      number += 1
      key = number === 1 ? name : `${name} (${number})`
    } while (taken.has(key))
    lastNumbers.set(name, number)
    taken.add(key)
    return key
  }
}
