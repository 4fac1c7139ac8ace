import type { EventId, SpeakerId } from '../../core/ids.ts'
import { appendChange } from '../../log/changes/log.ts'
import type { WriteScope } from '../../scope.ts'
import { inChunks } from '../../storage/db/in-chunks.ts'
import type { Db, Row } from '../../storage/db/tables.ts'
import { type Projection, projectedColumns, projectPlace, projectSpeakers } from './projection.ts'
import { findPeople, findPlace, findRecords, findSpeakersOf, replaceSpeakers } from './record-store.ts'
import { createProjector } from './records.ts'
import { type Activity, changeEvent, deleteEvent, findActivities, listEventRows, replaceActivities } from './store.ts'

/** An event as stored, with its schedule, and its speakers by their ids. What is shown of them and of the room follows. */
export interface StoredEvent {
  row: Omit<Row<'event'>, keyof Projection>
  activities: Activity[]
  speakers: SpeakerId[]
}

export async function loadEvents(db: Db, ids: readonly EventId[]): Promise<StoredEvent[]> {
  const rows = await inChunks([...ids], (some) => listEventRows(db, some))
  const found = rows.map(({ id }) => id)
  const activities = await inChunks(found, (some) => findActivities(db, some))
  const activitiesOf = Map.groupBy(activities, ({ event_id }) => event_id)
  const speakersOf = await findSpeakersOf(db, found)
  return rows.map((row) => ({
    row: withoutProjection(row),
    activities: (activitiesOf.get(row.id) ?? []).map(({ date, time, title }) => ({ date, time, title })),
    speakers: speakersOf.get(row.id) ?? [],
  }))
}

const projected: ReadonlySet<string> = new Set(projectedColumns)

const withoutProjection = (row: Row<'event'>) =>
  Object.fromEntries(Object.entries(row).filter(([column]) => !projected.has(column))) as StoredEvent['row']

/** These events as rows, with the texts of their rooms and speakers as they are now, by id. */
export async function showEvents(db: Db, events: readonly StoredEvent[]): Promise<Map<EventId, Row<'event'>>> {
  const toReferring = ({ row: { room_id }, speakers }: StoredEvent) => ({ room_id, speakers })
  const show = await createProjector(db, events.map(toReferring))
  return new Map(events.map((event) => [event.row.id, { ...event.row, ...show(toReferring(event)) }]))
}

/** Writes an event back as it was, except for rooms, tracks and speakers that have been removed since. */
export async function restoreEvent(
  scope: WriteScope,
  { row: { id, room_id, track_id, ...values }, activities, speakers }: StoredEvent,
): Promise<void> {
  const { db } = scope
  const place = room_id === null ? undefined : await findPlace(db, room_id)
  const [track] = track_id === null ? [] : await findRecords(db, 'track', [track_id])
  const people = await findPeople(db, speakers)
  await changeEvent(db, id, {
    ...values,
    room_id: place ? room_id : null,
    track_id: track?.id ?? null,
    ...projectPlace(place),
    ...projectSpeakers(people),
  })
  await replaceSpeakers(
    db,
    id,
    people.map((person) => person.id),
  )
  await replaceActivities(db, id, activities)
  await appendChange(scope, { kind: 'event.updated', record: id })
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
