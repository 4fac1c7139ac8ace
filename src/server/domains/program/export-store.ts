import type { EventId } from '../../core/ids.ts'
import type { Db, Row } from '../../storage/db/tables.ts'

export async function eventsAfter(db: Db, columns: readonly (keyof Row<'event'>)[], after: EventId, limit: number) {
  const notDeleted = db.selectFrom('event').select(columns).where('is_deleted', '=', 0)
  return notDeleted.where('id', '>', after).orderBy('id').limit(limit).execute()
}

/** Excludes activities of deleted events. */
export async function activitiesAfter(
  db: Db,
  columns: readonly (keyof Row<'activity'>)[],
  after: number,
  limit: number,
) {
  return db
    .selectFrom('activity')
    .innerJoin('event', 'event.id', 'activity.event_id')
    .select(columns.map((column) => `activity.${column}` as const))
    .where('event.is_deleted', '=', 0)
    .where('activity.id', '>', after)
    .orderBy('activity.id')
    .limit(limit)
    .execute()
}
