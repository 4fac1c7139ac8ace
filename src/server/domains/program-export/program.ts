import type { Release } from '../../../contract/revisions.ts'
import type { Conference, Room, ScheduleDay, ScheduleEvent, Speaker, Track } from '../../../contract/schedule.ts'
import type { EventId } from '../../core/ids.ts'
import type { Links } from '../../core/links.ts'
import type { Scope } from '../../scope.ts'
import {
  type EventOrigin,
  getSchedule,
  listEventOrigins,
  listModifications,
  type Modification,
} from '../program/schedule.ts'
import { listReleases } from '../revisions/releases.ts'

/** A speaker with texts. */
export type ProgramSpeaker = Required<Speaker>

/** An event that has a time, with all that it refers to. */
export interface ProgramEvent extends Omit<Required<ScheduleEvent>, 'room_id' | 'track_id' | 'speaker_ids'> {
  day: string
  starts_at: string
  /** The same as `starts_at` if it is not known. */
  ends_at: string
  room: Room | undefined
  track: Track | undefined
  speakers: ProgramSpeaker[]
  /** The URL of the event in the published program of its source; `''` if there is none. */
  page: string
  /** The URL of its details on this server. */
  record: string
  /** The id that it has in the file that it was imported from; `''` if it had none. */
  sourceId: string
  /** Rises whenever what is published of it changes. */
  sequence: number
  /** When it, its room, its track or one of its speakers was last changed, in milliseconds since 1970. */
  changedAt: number
}

/** The program as all formats have it. */
export interface Program {
  links: Links
  conference: Conference
  days: ScheduleDay[]
  rooms: Room[]
  tracks: Track[]
  speakers: ProgramSpeaker[]
  /** In the order of the program. */
  events: ProgramEvent[]
  /** What has changed, newest first. */
  releases: Release[]
  /** When the program was last changed, as clocks at the venue show it: `2030-05-01 17:00`. */
  version: string
}

/** As feeds have. */
const maxReleases = 50

/** Reads the program for files, which anyone may pass on: their links have no key. */
export async function readProgram(scope: Scope): Promise<Program> {
  const links = scope.links.withoutKey()
  const { schedule } = await getSchedule({ ...scope, links }, true)
  const { releases } = await listReleases(scope, { offset: 0, limit: maxReleases })
  const origins = new Map((await listEventOrigins(scope.db)).map((origin) => [String(origin.id), origin]))
  const conferenceChange = await listModifications(scope.db, 'conference')
  const roomChange = await readChanges(scope, 'room')
  const trackChange = await readChanges(scope, 'track')
  const speakerChange = await readChanges(scope, 'speaker')
  const rooms = byId(schedule.rooms)
  const tracks = byId(schedule.tracks)
  const all = schedule.speakers.map(
    (speaker): ProgramSpeaker => ({
      ...speaker,
      biography: speaker.biography ?? '',
      links: speaker.links ?? [],
    }),
  )
  const speakers = byId(all)
  const events = schedule.events.flatMap((event): ProgramEvent[] => {
    const {
      day,
      starts_at,
      room_id,
      track_id,
      speaker_ids,
      description = '',
      details = '',
      links: ownLinks = [],
      ...own
    } = event
    const origin = origins.get(event.id)
    if (day === null || starts_at === null || !origin) return []
    const changes = [
      changeOf(origin),
      ...[roomChange.get(room_id ?? ''), trackChange.get(track_id ?? '')],
      ...speaker_ids.map((id) => speakerChange.get(id)),
    ]
    return [
      {
        ...own,
        ...{
          sourceId: idOf(origin),
          sequence: origin.sequence,
          day,
          starts_at,
          ends_at: event.ends_at ?? starts_at,
          description,
          details,
          links: ownLinks,
        },
        room: rooms.get(room_id ?? ''),
        track: tracks.get(track_id ?? ''),
        speakers: speaker_ids.flatMap((id) => speakers.get(id) ?? []),
        page: ownLinks.find(({ rel }) => rel === 'page')?.url ?? '',
        record: links.event(Number(event.id) as EventId),
        changedAt: Math.max(...changes.map((at) => at ?? 0)),
      },
    ]
  })
  const changedAt = Math.max(
    ...[0, ...conferenceChange.map(changeOf), ...events.map((event) => event.changedAt)],
    ...[...roomChange.values(), ...trackChange.values(), ...speakerChange.values()],
  )
  return {
    links,
    conference: schedule.conference,
    days: schedule.days.filter(({ starts_at }) => starts_at !== null),
    rooms: schedule.rooms,
    tracks: schedule.tracks,
    speakers: all,
    events,
    releases,
    version: scope.timestamp(changedAt).slice(0, 16),
  }
}

/** A key that was made up has the names of people in it. */
const idOf = ({ source_key }: EventOrigin): string => (/^[\w-]+$/.test(source_key) ? source_key : '')

const readChanges = async ({ db }: Scope, kind: 'room' | 'track' | 'speaker') =>
  new Map((await listModifications(db, kind)).map((row) => [String(row.id), changeOf(row)]))

const changeOf = ({ created_at, modified_at }: Modification): number => Math.max(created_at, modified_at)

const byId = <R extends { id: string }>(records: readonly R[]) => new Map(records.map((record) => [record.id, record]))
