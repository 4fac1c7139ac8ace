import { appendChange } from '../changes/log.ts'
import type { Db, NewRow, Row } from '../db/tables.ts'
import type { EventId } from '../ids.ts'
import type { Scope, WriteScope } from '../scope.ts'
import type { SafeHtml } from './html.ts'
import {
  type Activity,
  changeEvent,
  type EventValues,
  eventsOfKeyOrId,
  importedEvents,
  insertEvent,
  replaceActivities,
} from './store.ts'

/** The fields of an event that are HTML. Sanitising may take a while, so it is done before the transaction. */
interface Html {
  description?: SafeHtml
  details?: SafeHtml
}

/** What an event is made of, besides when and by whom. */
export type NewEvent = Omit<NewRow<'event'>, 'created_at' | 'created_by' | keyof Html> & Html

/** What changes of an event. */
type Changes = Omit<Partial<EventValues>, keyof Html> & Html

/** Adds an event with its schedule. */
export async function addEvent(scope: WriteScope, event: NewEvent, activities: readonly Activity[]): Promise<EventId> {
  const id = await insertEvent(scope.db, { ...event, created_at: scope.now })
  await replaceActivities(scope.db, id, activities)
  await appendChange(scope, { kind: 'event.created', record: id })
  return id
}

/** Changes an event; its schedule, too, where `activities` is given. */
export async function updateEvent(
  scope: WriteScope,
  id: EventId,
  values: Changes,
  activities?: readonly Activity[],
): Promise<void> {
  await change(scope, id, values, activities)
  await appendChange(scope, { kind: 'event.updated', record: id })
}

/** Marks an event as cancelled, along with whatever else has changed: it stays in the program and says so. */
export async function cancelEvent(
  scope: WriteScope,
  id: EventId,
  values: Changes = {},
  activities?: readonly Activity[],
): Promise<void> {
  await change(scope, id, { ...values, is_cancelled: 1 }, activities)
  await appendChange(scope, { kind: 'event.cancelled', record: id })
}

async function change(
  { db, now }: Scope,
  id: EventId,
  values: Changes,
  activities: readonly Activity[] | undefined,
): Promise<void> {
  await changeEvent(db, id, { ...values, modified_at: now })
  if (activities) await replaceActivities(db, id, activities)
}

/** The events of a program that was imported, cancelled ones included, for the next import to compare with. */
export const eventsOfProgram = (db: Db, source: string): Promise<Row<'event'>[]> => importedEvents(db, source)

/**
 * The events that an operator may mean by a name: in the program `source`, the one that its file calls so; without a
 * `source`, those that any program calls so and the one with this id.
 */
export async function eventsNamed(db: Db, name: string, source: string | undefined): Promise<Row<'event'>[]> {
  const id = /^[1-9]\d{0,15}$/.test(name) ? (Number(name) as EventId) : undefined
  const events = await eventsOfKeyOrId(db, name, id)
  return events.filter((event) => source === undefined || (event.source === source && event.source_key === name))
}

export type { Activity } from './store.ts'
