import type { EventId } from '../../core/ids.ts'
import { appendChange } from '../../log/changes/log.ts'
import type { Scope, WriteScope } from '../../scope.ts'
import type { Db, NewRow, Row } from '../../storage/db/tables.ts'
import type { SafeHtml } from './html.ts'
import {
  type Activity,
  changeEvent,
  type EventValues,
  findActivities,
  insertEvent,
  listEventRows,
  replaceActivities,
} from './store.ts'

export { countEvents, findImportedEvents } from './store.ts'

/** The HTML fields of an event. Sanitizing may be slow, so callers do it before the transaction. */
interface HtmlFields {
  description?: SafeHtml
  details?: SafeHtml
}

/** The values of a new event. */
export type NewEvent = Omit<NewRow<'event'>, 'created_at' | 'created_by' | keyof HtmlFields> & HtmlFields

type EventChanges = Omit<Partial<EventValues>, keyof HtmlFields> & HtmlFields

/** Adds an event with its schedule. */
export async function addEvent(scope: WriteScope, event: NewEvent, activities: readonly Activity[]): Promise<EventId> {
  const id = await insertEvent(scope.db, { ...event, created_at: scope.now })
  await replaceActivities(scope.db, id, activities)
  await appendChange(scope, { kind: 'event.created', record: id })
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

async function applyChanges(
  { db, now }: Scope,
  id: EventId,
  values: EventChanges,
  activities: readonly Activity[] | undefined,
): Promise<void> {
  await changeEvent(db, id, { ...values, modified_at: now })
  if (activities) await replaceActivities(db, id, activities)
}

/** Every event that is not deleted. An import compares its file with them. */
export const listAllEvents = (db: Db): Promise<Row<'event'>[]> => listEventRows(db)

/** The activities of an event. */
export const findSchedule = (db: Db, id: EventId): Promise<Activity[]> => findActivities(db, [id])

export type { Activity } from './store.ts'
