import type { EventId } from '../../core/ids.ts'
import { appendChange } from '../../log/changes/log.ts'
import type { WriteScope } from '../../scope.ts'
import { inChunks } from '../../storage/db/in-chunks.ts'
import type { Db, Row } from '../../storage/db/tables.ts'
import { type Activity, changeEvent, deleteEvent, findActivities, listEventRows, replaceActivities } from './store.ts'

/** An event as stored, with its schedule. */
export interface StoredEvent {
  row: Row<'event'>
  activities: Activity[]
}

export async function loadEvents(db: Db, ids: readonly EventId[]): Promise<StoredEvent[]> {
  const rows = await inChunks([...ids], (some) => listEventRows(db, some))
  const activities = await inChunks(
    rows.map(({ id }) => id),
    (some) => findActivities(db, some),
  )
  const activitiesOf = Map.groupBy(activities, ({ event_id }) => event_id)
  return rows.map((row) => ({
    row,
    activities: (activitiesOf.get(row.id) ?? []).map(({ date, time, title }) => ({ date, time, title })),
  }))
}

/** Writes an event back as it was. */
export async function restoreEvent(
  scope: WriteScope,
  { row: { id, ...values }, activities }: StoredEvent,
): Promise<void> {
  await changeEvent(scope.db, id, values)
  await replaceActivities(scope.db, id, activities)
  await appendChange(scope, { kind: 'event.updated', record: id })
}

/** Deletes an event for good. */
export async function removeEvent(scope: WriteScope, { row: { id } }: StoredEvent): Promise<void> {
  await replaceActivities(scope.db, id, [])
  await deleteEvent(scope.db, id)
  await appendChange(scope, { kind: 'event.deleted', record: id })
}

/** The keys of its banner and photo. */
export const eventImageKeys = ({ row: { banner, photo } }: StoredEvent): string[] => [banner, photo].filter(Boolean)
