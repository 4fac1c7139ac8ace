import { isDeepStrictEqual } from 'node:util'
import type { EventId, RoomId, SpeakerId, TrackId } from '../../core/ids.ts'
import { appendChange } from '../../log/changes/log.ts'
import type { WriteScope } from '../../scope.ts'
import type { Db } from '../../storage/db/tables.ts'
import { applyChanges, type EventChanges, updateEvent } from './events.ts'
import { projectPlace, projectSpeakers } from './projection.ts'
import { findRecords, replaceAllSpeakers } from './record-store.ts'
import {
  type Activity,
  changeDraft,
  changeEvents,
  type EventValues,
  listDrafts,
  listEditedEvents,
  replaceAllActivities,
} from './store.ts'
import { type ShownEvent, type StoredEvent, showEvents, toStoredEvents } from './stored-events.ts'

// What editors change of a published event is a patch beside its row, so that no read for the public can see it. An event
// that is not published has no patch: its row is what editors see, and nobody else does.

const editedColumns = [
  ...(['title', 'subtitle', 'description', 'details'] as const),
  ...(['date_from', 'date_to', 'program_date', 'program_time', 'room_id', 'track_id'] as const),
  ...(['type', 'language', 'tags', 'links', 'license', 'do_not_record', 'is_cancelled', 'is_deleted'] as const),
  // Only imports change these.
  ...(['source_key', 'code', 'slug'] as const),
]

/** The values of an event that a draft changes. */
export type EventPatch = Partial<Pick<StoredEvent['row'], (typeof editedColumns)[number]>> & {
  speakers?: readonly SpeakerId[]
  activities?: readonly Activity[]
}

/** All events that editors see, ordered by id. */
export const loadEditedEvents = async (db: Db): Promise<StoredEvent[]> => toStoredEvents(db, await listEditedEvents(db))

/** All events as they will be once everything is published, with the texts of their rooms and speakers, ordered by id. */
export async function listDraftedEvents(db: Db): Promise<(ShownEvent & Pick<StoredEvent, 'speakers'>)[]> {
  const events = (await loadEditedEvents(db)).map(withDraft)
  const shown = await showEvents(db, events)
  return events.flatMap(({ row: { id }, speakers }) => {
    const event = shown.get(id)
    return event ? [{ ...event, speakers }] : []
  })
}

/** The patch of an event; empty for none, and without what is damaged. */
export function readPatch(draft: string): EventPatch {
  if (draft === '') return {}
  try {
    const { speakers, activities, ...columns }: Record<string, unknown> = Object(JSON.parse(draft))
    const known = editedColumns.flatMap((name) => (columns[name] === undefined ? [] : [[name, columns[name]]]))
    const lists = Object.entries({ speakers, activities }).filter(([, list]) => Array.isArray(list))
    return Object.fromEntries([...known, ...lists])
  } catch {
    return {}
  }
}

/** An event as it will be once its draft is published. */
export function withDraft({ row, activities, speakers }: StoredEvent): StoredEvent {
  const { speakers: ofDraft = speakers, activities: partsOfDraft = activities, ...columns } = readPatch(row.draft)
  return { row: { ...row, ...columns }, activities: [...partsOfDraft], speakers: [...ofDraft] }
}

/** The drafts that would put events in these rooms or tracks, or give them these speakers, as `findEventsWith`. */
export async function findDraftsWith(
  db: Db,
  kind: 'room' | 'track' | 'speaker',
  ids: readonly number[],
): Promise<{ id: number; event: EventId }[]> {
  const wanted: ReadonlySet<number> = new Set(ids)
  return (await listDrafts(db)).flatMap(({ id: event, draft }) => {
    const { room_id, track_id, speakers = [] } = readPatch(draft)
    const found = { room: [room_id], track: [track_id], speaker: speakers }[kind]
    return found.flatMap((id) => (id && wanted.has(id) ? { id, event } : []))
  })
}

/** Whether attendees see an event. */
export const isPublished = ({ row }: StoredEvent): boolean => row.is_deleted === 0

/** Changes a picture of an event. Drafts have none: of an event that attendees see, they see it at once. */
export async function changePicture(
  scope: WriteScope,
  event: StoredEvent,
  pictures: Pick<EventChanges, 'banner' | 'photo'>,
): Promise<void> {
  const { id } = event.row
  if (isPublished(event)) return updateEvent(scope, id, pictures)
  await applyChanges(scope, id, pictures)
  await appendChange(scope, { kind: 'event.drafted', record: id })
}

/** Changes an event for editors. */
export async function saveDraft(scope: WriteScope, event: StoredEvent, patch: EventPatch): Promise<void> {
  const { id } = event.row
  if (isPublished(event)) await changeDraft(scope.db, id, toDraft(event, { ...readPatch(event.row.draft), ...patch }))
  else {
    const { activities, ...values } = patch
    // Their HTML has been sanitized.
    await applyChanges(scope, id, values as EventChanges, activities)
  }
  await appendChange(scope, { kind: 'event.drafted', record: id })
}

/** Discards what is not published of an event that attendees see. */
export async function discardPatch(scope: WriteScope, { row: { id } }: StoredEvent): Promise<void> {
  await changeDraft(scope.db, id, '')
  await appendChange(scope, { kind: 'event.drafted', record: id })
}

const timeColumns: readonly string[] = ['date_from', 'date_to', 'program_date', 'program_time']

/**
 * What is left of the draft of a published event that an import changes: what editors have changed, and the import has not.
 * Times stay or go together.
 * @param values those that the import gives the published event
 */
export function draftAfter({ row, speakers, activities }: StoredEvent, values: EventPatch): string {
  const before: Record<string, unknown> = { ...row, speakers, activities }
  const changed = new Set(
    Object.entries(values).flatMap(([name, value]) => (isDeepStrictEqual(value, before[name]) ? [] : [name])),
  )
  const isMoved = timeColumns.some((column) => changed.has(column))
  const patch = Object.fromEntries(
    Object.entries(readPatch(row.draft)).filter(([name]) =>
      timeColumns.includes(name) ? !isMoved : !changed.has(name) || name === 'activities',
    ),
  ) as EventPatch
  const after = { ...row, ...values }
  const { title, program_date: date, program_time: time } = { ...after, ...patch }
  // Its only activity is the event itself.
  if (patch.activities && values.activities) patch.activities = date === '' ? [] : [{ date, time, title }]
  return toDraft(
    { row: after, speakers: [...(values.speakers ?? speakers)], activities: [...(values.activities ?? activities)] },
    patch,
  )
}

/** The patch as it is stored: without what is the same as published. */
export function toDraft({ row, speakers, activities }: StoredEvent, patch: EventPatch): string {
  const published: Record<string, unknown> = { ...row, speakers, activities }
  const changed = Object.entries(patch).filter(([name, value]) => !isDeepStrictEqual(value, published[name]))
  return changed.length === 0 ? '' : JSON.stringify(Object.fromEntries(changed))
}

/** The patches of events as they are published: without rooms, tracks and speakers that have been removed since. */
async function resolvePatches(db: Db, events: readonly StoredEvent[]) {
  const patches = events.map((event) => readPatch(event.row.draft))
  const byId = <R extends { id: number }>(rows: readonly R[]) => new Map(rows.map((row) => [row.id, row]))
  const roomIds = new Set(patches.flatMap(({ room_id }) => room_id ?? []))
  const trackIds = new Set(patches.flatMap(({ track_id }) => track_id ?? []))
  const speakerIds = new Set(patches.flatMap(({ speakers = [] }) => speakers))
  const rooms = byId(await findRecords(db, 'room', [...roomIds]))
  const tracks = byId(await findRecords(db, 'track', [...trackIds]))
  const people = byId(await findRecords(db, 'speaker', [...speakerIds]))
  const resolved = patches.map(
    ({ room_id, track_id, speakers, ...patch }): EventPatch => ({
      ...patch,
      is_deleted: patch.is_deleted ?? 0,
      ...(room_id !== undefined && { room_id: rooms.get(room_id as RoomId)?.id ?? null }),
      ...(track_id !== undefined && { track_id: tracks.get(track_id as TrackId)?.id ?? null }),
      ...(speakers && { speakers: speakers.filter((id) => people.has(id)) }),
    }),
  )
  return { patches: resolved, rooms, people }
}

/** Events as their publication will leave them, but for the time of it. */
export async function planPublication(db: Db, events: readonly StoredEvent[]): Promise<StoredEvent[]> {
  const { patches } = await resolvePatches(db, events)
  return events.map((event, at) => {
    const { speakers = event.speakers, activities = event.activities, ...columns } = patches[at] ?? {}
    return { row: { ...event.row, ...columns, draft: '' }, activities: [...activities], speakers: [...speakers] }
  })
}

/**
 * Publishes the drafts of events. The caller appends to the log. What they refer to is read once, and of each event only
 * what has changed is written, as other writes wait meanwhile.
 */
export async function publishDrafts({ db, now }: WriteScope, events: readonly StoredEvent[]): Promise<void> {
  const { patches, rooms, people } = await resolvePatches(db, events)
  const changes = new Map<EventId, Partial<EventValues>>()
  const speakersOf = new Map<EventId, SpeakerId[]>()
  const activitiesOf = new Map<EventId, readonly Activity[]>()
  for (const [at, { row }] of events.entries()) {
    const { speakers, activities, ...columns } = patches[at] ?? {}
    const { room_id, is_deleted } = columns
    changes.set(row.id, {
      ...columns,
      ...(room_id !== undefined && projectPlace(rooms.get(room_id as RoomId))),
      ...(speakers && projectSpeakers(speakers.flatMap((id) => people.get(id) ?? []))),
      ...{ draft: '', modified_at: now },
      ...(is_deleted === 1 && { deleted_at: now }),
    })
    if (speakers) speakersOf.set(row.id, [...speakers])
    if (activities) activitiesOf.set(row.id, activities)
  }
  await changeEvents(db, changes)
  await replaceAllSpeakers(db, speakersOf)
  await replaceAllActivities(db, activitiesOf)
}
