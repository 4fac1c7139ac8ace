import { isSpeakerPhoto } from '../../program/pictures.ts'
import type { ProgramRecord } from '../../program/records.ts'
import { isExported, type SourceSession, type SourceSpeaker } from '../source.ts'
import { fold, groupPeople, matchPeople } from './match-people.ts'
import {
  type PartsPlan,
  type PlannedPart,
  type ProgramFile,
  planPart,
  type ResolvedSession,
  type StoredParts,
} from './program-parts-plan.ts'
import type { EventWithSpeakers } from './session-event.ts'

// The rooms, tracks and speakers to which the sessions of a file refer, and the conference.

/**
 * @param events all that are stored
 * @param source the name of the program
 */
export function planParts(
  file: ProgramFile,
  stored: StoredParts,
  events: readonly Pick<EventWithSpeakers, 'source' | 'is_cancelled' | 'room_id' | 'guid' | 'speakers'>[],
  source: string,
): PartsPlan {
  const others = events.filter((event) => event.source !== source && event.is_cancelled === 0)
  const rooms = planRooms(file, stored.room, source, new Set(others.map(({ room_id }) => room_id)))
  const tracks = planTracks(file, stored.track)
  // Speakers are persons of one program, and Summit's own spreadsheet has the sessions of all.
  const programOf = new Map(events.map((event) => [event.guid, event.source]))
  const byProgram = Map.groupBy(
    file.sessions,
    (session) => programOf.get(isExported(session) ? session.guid : '') ?? source,
  )
  const people = new Map(
    [...byProgram].flatMap(([program, sessions]) => {
      const guids = new Set(sessions.filter(isExported).map(({ guid }) => guid))
      const named = new Set(events.filter(({ guid }) => guids.has(guid)).flatMap(({ speakers }) => speakers))
      const known = stored.speaker.filter((speaker) => speaker.source === program || named.has(speaker.id))
      return [...planSpeakers(sessions, known, program)]
    }),
  )
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
    stored: {
      room: afterImport('room', stored.room, rooms.values()),
      track: afterImport('track', stored.track, tracks.values()),
      speaker: afterImport('speaker', stored.speaker, people.values()),
    },
    onlyNamed: new Set(
      file.sessions.some(isExported)
        ? parts
        : [...rooms.values()].filter((room) => room.change === 'new' && !isDescribed.has(room)),
    ),
    conferenceDifferences: isOnlyProgram ? [] : (conference?.differences ?? []),
  }
}

function afterImport<K extends 'room' | 'track' | 'speaker'>(
  kind: K,
  stored: readonly ProgramRecord<K>[],
  planned: Iterable<PlannedPart<K>>,
): Map<number, PlannedPart<K>> {
  const rows = stored as readonly (ProgramRecord<K> & { id: number })[]
  const parts = new Map(rows.map((row) => [row.id, planPart(kind, row, row, {})]))
  for (const part of planned) if (part.id !== undefined) parts.set(part.id, part)
  return parts
}

/** The names in a file without regard to case, as sessions spell them, each with what the file says beside it. */
function collectNames<P extends { name: string }>(described: readonly P[], inSessions: readonly string[]) {
  const names = new Map<string, { name: string; described?: P }>()
  for (const part of described) names.set(fold(part.name), { name: part.name, described: part })
  for (const name of inSessions) if (name !== '') names.set(fold(name), { ...names.get(fold(name)), name })
  return names
}

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
  const names = collectNames(
    rooms,
    sessions.map(({ room }) => room),
  )
  const isOwn = (room: ProgramRecord<'room'>) =>
    room.source === source || (room.source === '' && !usedByOthers.has(room.id))
  const byKey = new Map(stored.filter((room) => room.source === source).map((room) => [room.source_key, room]))
  const byId = new Map(
    [...names].flatMap(([folded, { described }]) => {
      const row = described?.key ? byKey.get(described.key) : undefined
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
    [...names].map(([folded, { name, described }], index): [string, PlannedPart<'room'>] => {
      const { key = '', guid = '', capacity = 0, description = '' } = described ?? {}
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
  const names = collectNames(
    tracks,
    sessions.map(({ track }) => track),
  )
  const byName = new Map(stored.toReversed().map((track) => [fold(track.name), track]))
  return new Map(
    [...names].map(([folded, { name, described }], index): [string, PlannedPart<'track'>] => {
      const row = byName.get(folded)
      const before = row ?? { name: '', color: '', sort: stored.length + index }
      return [folded, planPart('track', row, before, { name, ...filled({ color: described?.color ?? '' }) })]
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
    stored,
  )
  const unsaid = new Set(sessions.flatMap((session) => [...(session.unsaid ?? [])]))
  const people = new Map<SourceSpeaker, PlannedPart<'speaker'>>()
  for (const { person, mentions } of groups) {
    const row = rows.get(person)
    const { key, guid, name, position, company, biography, photo, links } = person
    // A photo that an editor has uploaded stays; in a file of ours, its URL is on this server.
    const newPhoto = row && isSpeakerPhoto(row.photo) ? '' : photo
    const values = {
      ...{ name, source: row?.source ?? source },
      ...(unsaid.has('position') ? filled({ position }) : { position }),
      ...(unsaid.has('company') ? filled({ company }) : { company }),
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
