import { randomUUID } from 'node:crypto'
import type { EventId, SpeakerId } from '../../core/ids.ts'
import { appendChange } from '../../log/changes/log.ts'
import type { Scope, WriteScope } from '../../scope.ts'
import type { Db, NewRow, Row } from '../../storage/db/tables.ts'
import type { SafeHtml } from './html.ts'
import type { Projection } from './projection.ts'
import { findSpeakersOf, replaceSpeakers } from './record-store.ts'
import { showPlace, showSpeakers } from './records.ts'
import {
  type Activity,
  changeEvent,
  type EventValues,
  hasGuid,
  insertEvent,
  listEditedEvents,
  replaceActivities,
} from './store.ts'

export { countEvents, listActivityTitles } from './store.ts'

/** The HTML fields of an event. Sanitizing may be slow, so callers do it before the transaction. */
interface HtmlFields {
  description?: SafeHtml
  details?: SafeHtml
}

/** The speakers of an event, in order. */
interface Speakers {
  speakers?: readonly SpeakerId[]
}

/** The values of a new event; it gets a random `guid` without one, or if another event has that. */
export type NewEvent = Omit<
  NewRow<'event'>,
  'created_at' | 'created_by' | 'guid' | keyof HtmlFields | keyof Projection
> & { guid?: string } & HtmlFields &
  Speakers

/** A `guid` is not changed: calendars know the event by it. */
export type EventChanges = Omit<Partial<EventValues>, keyof HtmlFields | keyof Projection> & HtmlFields & Speakers

/** Adds an event with its schedule; with `is_deleted` as a draft, which only editors see. */
export async function addEvent(
  scope: WriteScope,
  { speakers = [], guid, ...event }: NewEvent,
  activities: readonly Activity[],
): Promise<EventId> {
  const id = await insertEvent(scope.db, {
    ...event,
    guid: guid === undefined || (await hasGuid(scope.db, guid)) ? randomUUID() : guid,
    ...(await showPlace(scope.db, event.room_id ?? null)),
    ...(await showSpeakers(scope.db, speakers)),
    created_at: scope.now,
  })
  await replaceSpeakers(scope.db, id, speakers)
  await replaceActivities(scope.db, id, activities)
  await appendChange(scope, { kind: event.is_deleted ? 'event.drafted' : 'event.created', record: id })
  return id
}

/** Changes an event, and replaces its schedule if `activities` is given. */
export async function updateEvent(
  scope: WriteScope,
  id: EventId,
  values: EventChanges,
  activities?: readonly Activity[],
): Promise<void> {
  await applyChanges(scope, id, values, activities)
  await appendChange(scope, { kind: 'event.updated', record: id })
}

/** Marks an event as cancelled and applies other changes. It stays in the program with a title that says so. */
export async function cancelEvent(
  scope: WriteScope,
  id: EventId,
  values: EventChanges = {},
  activities?: readonly Activity[],
): Promise<void> {
  await applyChanges(scope, id, { ...values, is_cancelled: 1 }, activities)
  await appendChange(scope, { kind: 'event.cancelled', record: id })
}

/** Changes an event without a row in the log. */
export async function applyChanges(
  { db, now }: Scope,
  id: EventId,
  { speakers, guid: _, ...values }: EventChanges,
  activities?: readonly Activity[],
): Promise<void> {
  await changeEvent(db, id, {
    ...values,
    ...(values.room_id !== undefined && (await showPlace(db, values.room_id))),
    ...(speakers && (await showSpeakers(db, speakers))),
    modified_at: now,
  })
  if (speakers) await replaceSpeakers(db, id, speakers)
  if (activities) await replaceActivities(db, id, activities)
}

/** An event with its speakers. */
type EventWithSpeakers = Row<'event'> & { speakers: readonly SpeakerId[] }

/** Every event, published or not. An import compares its file with them. */
export const listAllEvents = async (db: Db): Promise<EventWithSpeakers[]> =>
  withSpeakers(db, await listEditedEvents(db))

async function withSpeakers(db: Db, rows: readonly Row<'event'>[]): Promise<EventWithSpeakers[]> {
  const speakers = await findSpeakersOf(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({ ...row, speakers: speakers.get(row.id) ?? [] }))
}

export type { Activity } from './store.ts'
