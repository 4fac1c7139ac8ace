import { isDeepStrictEqual } from 'node:util'
import type { EventId, SpeakerId } from '../../core/ids.ts'
import { appendChange, readHead } from '../../log/changes/log.ts'
import type { WriteScope } from '../../scope.ts'
import { inChunks } from '../../storage/db/in-chunks.ts'
import type { Db, Row } from '../../storage/db/tables.ts'
import { type Projection, projectedColumns, projectPlace, projectSpeakers } from './projection.ts'
import { findPeople, findPlace, findRecords, findSpeakersOf, replaceSpeakers } from './record-store.ts'
import { createProjector } from './records.ts'
import {
  type Activity,
  changeDraft,
  changeEvent,
  deleteEvent,
  type EventIdentity,
  findActivities,
  findEventRows,
  insertEvent,
  listIdentities,
  replaceActivities,
} from './store.ts'

/**
 * An event as stored, with its schedule, and its speakers by their ids. What is shown of them and of the room follows. The
 * sequence is not part of it, as that never falls.
 */
export interface StoredEvent {
  row: Omit<Row<'event'>, keyof Projection | 'sequence'>
  activities: Activity[]
  speakers: SpeakerId[]
}

export const loadEvents = async (db: Db, ids: readonly EventId[]): Promise<StoredEvent[]> =>
  toStoredEvents(db, await inChunks([...ids], (some) => findEventRows(db, some)))

/** Adds to rows what belongs to them. */
export async function toStoredEvents(db: Db, rows: readonly Row<'event'>[]): Promise<StoredEvent[]> {
  const found = rows.map(({ id }) => id)
  const activities = await inChunks(found, (some) => findActivities(db, some))
  const activitiesOf = Map.groupBy(activities, ({ event_id }) => event_id)
  const speakersOf = await findSpeakersOf(db, found)
  return rows.map((row) => ({
    row: toStoredRow(row),
    activities: (activitiesOf.get(row.id) ?? []).map(({ date, time, title }) => ({ date, time, title })),
    speakers: speakersOf.get(row.id) ?? [],
  }))
}

const notStored: ReadonlySet<string> = new Set([...projectedColumns, 'sequence'])

// Through `Object.fromEntries` it takes eight times as long, which is half of reading a program.
function toStoredRow(row: Row<'event'>): StoredEvent['row'] {
  const stored: Partial<Record<string, unknown>> = {}
  for (const column of Object.keys(row) as (keyof typeof row)[])
    if (!notStored.has(column)) stored[column] = row[column]
  return stored as StoredEvent['row']
}

/** An event with the texts of its room and speakers. */
export type ShownEvent = Omit<Row<'event'>, 'sequence'>

/** These events with the texts of their rooms and speakers as they are now, by id. */
export async function showEvents(db: Db, events: readonly StoredEvent[]): Promise<Map<EventId, ShownEvent>> {
  const toReferring = ({ row: { room_id }, speakers }: StoredEvent) => ({ room_id, speakers })
  const show = await createProjector(db, events.map(toReferring))
  return new Map(events.map((event) => [event.row.id, { ...event.row, ...show(toReferring(event)) }]))
}

/**
 * Writes an event back as it was, except for rooms, tracks and speakers that have been removed since; one that was removed
 * returns.
 */
export async function restoreEvent(
  scope: WriteScope,
  { row: { id, room_id, track_id, ...values }, activities, speakers }: StoredEvent,
): Promise<void> {
  const { db } = scope
  const [current] = await loadEvents(db, [id])
  if (current && isSamePublished(current, { row: { id, room_id, track_id, ...values }, activities, speakers })) {
    await changeDraft(db, id, values.draft)
    return appendChange(scope, { kind: 'event.drafted', record: id })
  }
  const place = room_id === null ? undefined : await findPlace(db, room_id)
  const [track] = track_id === null ? [] : await findRecords(db, 'track', [track_id])
  const people = await findPeople(db, speakers)
  const row = {
    ...values,
    room_id: place ? room_id : null,
    track_id: track?.id ?? null,
    ...projectPlace(place),
    ...projectSpeakers(people),
  }
  if (current) await changeEvent(db, id, row)
  // No event has changed more often than the log has rows, so its sequence does not fall.
  else await insertEvent(db, { ...row, id, sequence: (await readHead(db)).id })
  await replaceSpeakers(
    db,
    id,
    people.map((person) => person.id),
  )
  await replaceActivities(db, id, activities)
  await appendChange(scope, { kind: current ? 'event.updated' : 'event.created', record: id })
}

/** Whether two states of an event differ in nothing but its draft. */
const isSamePublished = (a: StoredEvent, b: StoredEvent): boolean =>
  isDeepStrictEqual({ ...a, row: { ...a.row, draft: '' } }, { ...b, row: { ...b.row, draft: '' } })

/** For each of these events, another stored one that has its UUID or its key in the source, if there is one. */
export async function findSameIdentity(db: Db, events: readonly EventIdentity[]): Promise<Map<EventId, EventId>> {
  const stored = await listIdentities(db, events)
  const keyOf = ({ source, source_key }: EventIdentity) => JSON.stringify([source, source_key])
  const byGuid = Map.groupBy(stored, ({ guid }) => guid)
  const byKey = Map.groupBy(stored, keyOf)
  return new Map(
    events.flatMap((event) => {
      const ofKey = event.source_key === '' ? [] : (byKey.get(keyOf(event)) ?? [])
      const other = [...(byGuid.get(event.guid) ?? []), ...ofKey].find(({ id }) => id !== event.id)
      return other ? [[event.id, other.id] as const] : []
    }),
  )
}

/** Deletes an event for good. */
export async function removeEvent(scope: WriteScope, { row: { id } }: StoredEvent): Promise<void> {
  await replaceSpeakers(scope.db, id, [])
  await replaceActivities(scope.db, id, [])
  await deleteEvent(scope.db, id)
  await appendChange(scope, { kind: 'event.deleted', record: id })
}

/** The keys of its banner and photo. */
export const eventImageKeys = ({ row: { banner, photo } }: StoredEvent): string[] => [banner, photo].filter(Boolean)
