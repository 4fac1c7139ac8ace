import type { Data } from '../../../contract/index.ts'
import type {
  Conference,
  Room,
  ScheduleDay,
  ScheduleEvent,
  ScheduleEventDetails,
  Speaker,
  Track,
} from '../../../contract/schedule.ts'
import type { EventId, SpeakerId } from '../../core/ids.ts'
import type { Scope } from '../../scope.ts'
import type { Row } from '../../storage/db/tables.ts'
import { findRecords, findSpeakersOf, listRecords } from './record-store.ts'
import {
  listPublicSpeakers,
  listScheduledActivities,
  listScheduledEvents,
  listScheduledSpeakers,
  type ScheduledEvent,
  type ScheduledSpeaker,
} from './schedule-store.ts'
import { createTimeReader, formatTime, type Times, toDays, zoneOf } from './schedule-times.ts'
import { type Activity, findActivities, getEventRow } from './store.ts'

export {
  type EventOrigin,
  findPublicEvents,
  listEventOrigins,
  listModifications,
  listScheduledEvents,
  type Modification,
} from './schedule-store.ts'

/** An event as stored, with its times and parts, and the ids of its speakers. */
export interface LoadedEvent {
  row: ScheduledEvent
  times: Times
  activities: ScheduleEvent['activities']
  speakers: readonly SpeakerId[]
}

/** The whole program as stored: the same for all who read it. */
export interface LoadedSchedule {
  conference: Row<'conference'> | undefined
  rooms: Row<'room'>[]
  tracks: Row<'track'>[]
  speakers: ScheduledSpeaker[]
  /** In the order of the program. */
  events: LoadedEvent[]
}

/** Reads the whole program. The number of queries does not depend on that of events. */
export async function loadSchedule(scope: Scope, withTexts: boolean): Promise<LoadedSchedule> {
  const { db } = scope
  const [conference] = await listRecords(db, 'conference')
  const rooms = await listRecords(db, 'room')
  const tracks = await listRecords(db, 'track')
  const speakers = await listPublicSpeakers(db, withTexts)
  const rows = await listScheduledEvents(db, withTexts)
  const speakersOf = Map.groupBy(await listScheduledSpeakers(db), ({ event_id }) => event_id)
  const activitiesOf = Map.groupBy(await listScheduledActivities(db), ({ event_id }) => event_id)
  const readTimes = createTimeReader(zoneOf(conference, scope), scope)
  const events = rows.map((row) => ({
    row,
    times: readTimes(row),
    activities: toActivities(row, activitiesOf.get(row.id) ?? []),
    speakers: (speakersOf.get(row.id) ?? []).map(({ speaker_id }) => speaker_id),
  }))
  return { conference, rooms, tracks, speakers, events }
}

export async function getSchedule(scope: Scope, withTexts: boolean): Promise<Data<'getSchedule'>> {
  const { conference, rooms, tracks, speakers, events } = await loadSchedule(scope, withTexts)
  const days = toDays(events)
  const usedRooms = new Set(events.map(({ row }) => row.room_id))
  const usedTracks = new Set(events.map(({ row }) => row.track_id))
  return {
    schedule: {
      conference: toConference(conference, days, scope),
      days,
      rooms: rooms
        .filter(({ id }) => usedRooms.has(id))
        .sort(bySort)
        .map(toRoom),
      tracks: tracks
        .filter(({ id }) => usedTracks.has(id))
        .sort(bySort)
        .map(toTrack),
      speakers: speakers.map((speaker) => toSpeaker(speaker, scope)),
      events: events.map((event) => ({ ...toScheduleEvent(event, scope), ...toTexts(event) })),
    },
  }
}

/** Without its texts. */
export const toScheduleEvent = ({ row, times, activities, speakers }: LoadedEvent, scope: Scope): ScheduleEvent => ({
  ...toOwnMembers(row, times, activities, scope),
  room_id: row.room_id === null ? null : String(row.room_id),
  track_id: row.track_id === null ? null : String(row.track_id),
  speaker_ids: speakers.map(String),
})

/** Its texts, as far as they were read. */
export const toTexts = ({ row }: LoadedEvent): Pick<ScheduleEvent, 'description' | 'details' | 'links'> => ({
  ...(row.description !== undefined && { description: row.description }),
  ...(row.details !== undefined && { details: row.details }),
  ...(row.links !== undefined && { links: toLinks(row.links) }),
})

/** @throws Failure EVENT_NOT_FOUND */
export async function getScheduleEvent(scope: Scope, id: EventId): Promise<Data<'getScheduleEvent'>> {
  const { db } = scope
  const row = await getEventRow(db, id)
  const [conference] = await listRecords(db, 'conference')
  const [room] = row.room_id === null ? [] : await findRecords(db, 'room', [row.room_id])
  const [track] = row.track_id === null ? [] : await findRecords(db, 'track', [row.track_id])
  const speakerIds = (await findSpeakersOf(db, [id])).get(id) ?? []
  const speakers = new Map((await findRecords(db, 'speaker', speakerIds)).map((speaker) => [speaker.id, speaker]))
  const times = createTimeReader(zoneOf(conference, scope), scope)(row)
  return {
    event: {
      ...toOwnMembers(row, times, toActivities(row, await findActivities(db, [id])), scope),
      room: room ? toRoom(room) : null,
      track: track ? toTrack(track) : null,
      speakers: speakerIds.flatMap((id) => speakers.get(id) ?? []).map((speaker) => toSpeaker(speaker, scope)),
      description: row.description,
      details: row.details,
      links: toLinks(row.links),
    },
  }
}

/** Records are read in the order of their ids. */
export const bySort = (a: { sort: number }, b: { sort: number }): number => a.sort - b.sort

/** Without that of an event of one part, which has itself as its only activity. */
export const toActivities = (
  { title, program_date, program_time }: ScheduledEvent,
  activities: readonly Activity[],
): ScheduleEvent['activities'] =>
  activities
    .filter(({ date, time, title: part }) => part !== title || date !== program_date || time !== program_time)
    .map(({ date, time, title }) => ({ day: date, time, title }))

export const toConference = (
  row: Row<'conference'> | undefined,
  days: readonly ScheduleDay[],
  scope: Scope,
): Conference => ({
  title: row?.title ?? '',
  acronym: row?.acronym ?? '',
  url: row?.url ?? '',
  time_zone: zoneOf(row, scope),
  first_day: row?.first_day || days.at(0)?.date || null,
  last_day: row?.last_day || days.at(-1)?.date || null,
  slot_minutes: row?.slot_minutes || null,
  hue: row?.hue ?? null,
  logo_url: row?.logo ? scope.links.logo(row.logo) : null,
})

export const toRoom = (row: Row<'room'>): Room => ({
  id: String(row.id),
  guid: row.guid,
  name: row.name,
  building: row.building ?? '',
  address: row.address,
  capacity: row.capacity || null,
  description: row.description,
})

export const toTrack = (row: Row<'track'>): Track => ({ id: String(row.id), name: row.name, color: row.color })

export const toSpeaker = (row: ScheduledSpeaker, { links }: Scope): Speaker => ({
  id: String(row.id),
  guid: row.guid,
  name: row.name,
  position: row.position,
  company: row.company,
  photo_url: links.speakerPhoto(row),
  ...(row.links !== undefined && { links: toLinks(row.links).map(({ title, url }) => ({ title, url })) }),
  ...(row.biography !== undefined && { biography: row.biography }),
})

const toLinks = (links: string): ScheduleEventDetails['links'] =>
  parseList<ScheduleEventDetails['links'][number]>(links).map(({ rel, title, url }) => ({ rel, title, url }))

export const readTags = ({ tags }: ScheduledEvent): string[] => parseList<string>(tags)

/** A damaged row must not take the whole schedule from everyone. */
export function parseList<T>(text: string): T[] {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}

/** What a schedule and an event on its own have in common. */
const toOwnMembers = (
  row: ScheduledEvent,
  { day, start, end }: Times,
  activities: ScheduleEvent['activities'],
  { links }: Scope,
) => ({
  id: String(row.id),
  guid: row.guid,
  title: row.title,
  subtitle: row.subtitle,
  is_cancelled: row.is_cancelled === 1,
  day,
  starts_at: formatTime(start),
  ends_at: formatTime(end),
  type: row.type,
  language: row.language,
  tags: readTags(row),
  banner_url: row.banner === '' ? null : links.banner(row.id),
  photo_url: row.photo === '' ? null : links.eventPhoto(row.id),
  code: row.code,
  slug: row.slug,
  license: row.license,
  do_not_record: row.do_not_record === 1,
  activities,
})
