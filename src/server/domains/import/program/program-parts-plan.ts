import type { Db, Row } from '../../../storage/db/tables.ts'
import { isSpeakerPhoto } from '../../program/pictures.ts'
import { describeRecordChanges } from '../../program/record-differences.ts'
import {
  listRecords,
  type NewProgramRecord,
  type ProgramRecord,
  type ProgramRecordKind,
  type ProgramRecordValues,
} from '../../program/records.ts'
import type { ParsedProgram, SourceSession, SourceSpeaker } from '../source.ts'
import { groupPeople, matchPeople } from './match-people.ts'

// The rooms, tracks and speakers to which the sessions of a file refer, and the conference.

/** The stored records of each kind. */
export type StoredParts = { [K in ProgramRecordKind]: ProgramRecord<K>[] }

export const noParts: StoredParts = { conference: [], room: [], track: [], speaker: [] }

export const loadParts = async (db: Db): Promise<StoredParts> => ({
  conference: await listRecords(db, 'conference'),
  room: await listRecords(db, 'room'),
  track: await listRecords(db, 'track'),
  speaker: await listRecords(db, 'speaker'),
})

/** What an import makes of a record. */
export interface PlannedPart<K extends ProgramRecordKind = ProgramRecordKind> {
  kind: K
  /** The stored record; a new one has an id once it is written. */
  id: number | undefined
  change: 'new' | 'changed' | 'unchanged'
  /** Every value of it, after the import. */
  values: NewProgramRecord<K>
  /** Those that change in a stored record. */
  changes?: ProgramRecordValues<K>
  /** In the organizer's words. */
  differences: string[]
}

/** A session with what it refers to. */
export interface ResolvedSession extends SourceSession {
  inRoom: PlannedPart<'room'> | undefined
  inTrack: PlannedPart<'track'> | undefined
  people: PlannedPart<'speaker'>[]
}

export interface PartsPlan {
  sessions: ResolvedSession[]
  /** In the order in which they are written. */
  parts: PlannedPart[]
  /** All stored rooms by id, those of the file as they are after the import. */
  rooms: ReadonlyMap<number, PlannedPart<'room'>>
  /** New rooms of which the file has only the name. */
  onlyNamed: ReadonlySet<PlannedPart>
  /** What the file says of the conference, where it does not count since sessions of other programs take place, too. */
  conferenceDifferences: string[]
}

/** The part of a file that this is about. */
export type ProgramFile = Pick<ParsedProgram, 'sessions' | 'rooms' | 'tracks' | 'conference'>

/**
 * @param events all that are stored
 * @param source the name of the program
 */
export function planParts(
  file: ProgramFile,
  stored: StoredParts,
  events: readonly Pick<Row<'event'>, 'source' | 'is_cancelled' | 'room_id'>[],
  source: string,
): PartsPlan {
  const others = events.filter((event) => event.source !== source && event.is_cancelled === 0)
  const rooms = planRooms(file, stored.room, source, new Set(others.map(({ room_id }) => room_id)))
  const tracks = planTracks(file, stored.track)
  const people = planSpeakers(file.sessions, stored.speaker, source)
  const conference = planConference(file, stored.conference[0])
  const sessions = file.sessions.map(
    (session): ResolvedSession => ({
      ...session,
      inRoom: rooms.get(fold(session.room)),
      inTrack: tracks.get(fold(session.track)),
      people: [...new Set(session.speakers.flatMap((speaker) => people.get(speaker) ?? []))],
    }),
  )
  const isOnlyProgram = others.length === 0
  const parts = [
    ...(conference && isOnlyProgram ? [conference] : []),
    ...rooms.values(),
    ...tracks.values(),
    ...people.values(),
  ]
  const isDescribed = new Set(file.rooms.map((room) => rooms.get(fold(room.name))))
  return {
    sessions,
    parts: [...new Set(parts)],
    rooms: new Map([
      ...stored.room.map((room) => [room.id, planPart('room', room, room, {})] as const),
      ...[...rooms.values()].flatMap((room) => (room.id === undefined ? [] : [[room.id, room] as const])),
    ]),
    onlyNamed: new Set([...rooms.values()].filter((room) => room.change === 'new' && !isDescribed.has(room))),
    conferenceDifferences: isOnlyProgram ? [] : (conference?.differences ?? []),
  }
}

export const fold = (name: string): string => name.toLowerCase()

/**
 * Rooms are the same in all programs: by their id, else by their name. The ids come first, since another room may have the
 * old name of a renamed one.
 * @param usedByOthers ids of rooms in which sessions of other programs take place
 */
function planRooms(
  { sessions, rooms }: ProgramFile,
  stored: readonly ProgramRecord<'room'>[],
  source: string,
  usedByOthers: ReadonlySet<number | null>,
) {
  const described = new Map(rooms.map((room) => [fold(room.name), room]))
  const names = new Map(
    [...rooms.map(({ name }) => name), ...sessions.map(({ room }) => room)].map((name) => [fold(name), name]),
  )
  names.delete('')
  const isOwn = (room: ProgramRecord<'room'>) =>
    room.source === source || (room.source === '' && !usedByOthers.has(room.id))
  const byKey = new Map(stored.filter((room) => room.source === source).map((room) => [room.source_key, room]))
  const byId = new Map(
    [...described].flatMap(([folded, { key }]) => {
      const row = key === '' ? undefined : byKey.get(key)
      return row ? [[folded, row] as const] : []
    }),
  )
  const taken = new Set(byId.values())
  const free = stored.filter((room) => !taken.has(room))
  // The last one counts: that of the lowest id, and one's own before those of other programs.
  const byName = new Map(
    [...free.filter((room) => !isOwn(room)).toReversed(), ...free.filter(isOwn).toReversed()].map((room) => [
      fold(room.name),
      room,
    ]),
  )
  return new Map(
    [...names].map(([folded, name], index): [string, PlannedPart<'room'>] => {
      const { key = '', guid = '', capacity = 0, description = '' } = described.get(folded) ?? {}
      const row = byId.get(folded) ?? byName.get(folded)
      if (row && !isOwn(row)) {
        const missing = { capacity: row.capacity || capacity, description: row.description || description }
        return [folded, planPart('room', row, row, missing)]
      }
      const values = {
        ...(key !== '' && { source, source_key: key }),
        ...filled({ guid, capacity, description }),
        name,
      }
      return [folded, planPart('room', row, row ?? { ...newRoom, sort: stored.length + index }, values)]
    }),
  )
}

const newRoom = {
  ...{ source: '', source_key: '', guid: '', name: '', building: null, address: '', capacity: 0, description: '' },
}

/** Tracks are the same in all programs, by their name. */
function planTracks({ sessions, tracks }: ProgramFile, stored: readonly ProgramRecord<'track'>[]) {
  const described = new Map(tracks.map((track) => [fold(track.name), track]))
  const names = new Map(
    [...tracks.map(({ name }) => name), ...sessions.map(({ track }) => track)].map((name) => [fold(name), name]),
  )
  names.delete('')
  const byName = new Map(stored.toReversed().map((track) => [fold(track.name), track]))
  return new Map(
    [...names].map(([folded, name], index): [string, PlannedPart<'track'>] => {
      const row = byName.get(folded)
      const before = row ?? { name: '', color: '', sort: stored.length + index }
      return [
        folded,
        planPart('track', row, before, { name, ...filled({ color: described.get(folded)?.color ?? '' }) }),
      ]
    }),
  )
}

/** Speakers are persons of one program. */
function planSpeakers(
  sessions: readonly SourceSession[],
  stored: readonly ProgramRecord<'speaker'>[],
  source: string,
): Map<SourceSpeaker, PlannedPart<'speaker'>> {
  const groups = groupPeople(sessions)
  const rows = matchPeople(
    groups.map(({ person }) => person),
    stored.filter((speaker) => speaker.source === source),
  )
  const people = new Map<SourceSpeaker, PlannedPart<'speaker'>>()
  for (const { person, mentions } of groups) {
    const row = rows.get(person)
    const { key, guid, name, position, company, biography, photo, links } = person
    // A photo that an editor has uploaded stays; in a file of ours, its URL is on this server.
    const newPhoto = row && isSpeakerPhoto(row.photo) ? '' : photo
    const values = {
      ...{ name, position, company, source },
      ...filled({
        source_key: key,
        guid,
        biography,
        photo: newPhoto,
        links: links.length > 0 ? JSON.stringify(links) : '',
      }),
    }
    const planned = planPart('speaker', row, row ?? newSpeaker, values)
    for (const mention of mentions) people.set(mention, planned)
  }
  return people
}

const newSpeaker = {
  ...{
    source: '',
    source_key: '',
    guid: '',
    name: '',
    position: '',
    company: '',
    biography: '',
    photo: '',
    links: '[]',
  },
}

function planConference({ conference }: ProgramFile, row: ProgramRecord<'conference'> | undefined) {
  if (!conference) return undefined
  const { title, acronym, url, timeZone, firstDay, lastDay, slotMinutes } = conference
  const values = {
    ...{ title, acronym, url, time_zone: timeZone },
    ...{ first_day: firstDay, last_day: lastDay, slot_minutes: slotMinutes },
  }
  return planPart('conference', row, row ?? newConference, filled(values))
}

const newConference = {
  ...{ title: '', acronym: '', url: '', time_zone: '', first_day: '', last_day: '', slot_minutes: 0 },
}

/** The values that a file has. */
const filled = <V extends Record<string, string | number>>(values: V): Partial<V> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && value !== 0)) as Partial<V>

/** @param row the stored record; undefined for a new one */
export function planPart<K extends ProgramRecordKind>(
  kind: K,
  row: { id: number } | undefined,
  before: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
): PlannedPart<K> {
  const columns = Object.keys(given).filter((column) => given[column] !== before[column])
  const change = row === undefined ? 'new' : columns.length > 0 ? 'changed' : 'unchanged'
  const changes = Object.fromEntries(columns.map((column) => [column, given[column]])) as ProgramRecordValues<K>
  return {
    ...{ kind, id: row?.id, change, values: { ...before, ...given } as NewProgramRecord<K> },
    ...(row && { changes }),
    differences: describeRecordChanges(before, given, columns),
  }
}
