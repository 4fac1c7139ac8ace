import type { EventId } from '../core/ids.ts'
import type { Db, Row } from '../db/tables.ts'

export async function eventsAfter(db: Db, columns: readonly (keyof Row<'event'>)[], after: EventId, most: number) {
  const kept = db.selectFrom('event').select(columns).where('is_deleted', '=', 0)
  return kept.where('id', '>', after).orderBy('id').limit(most).execute()
}

/** Without those of deleted events. */
export async function activitiesAfter(
  db: Db,
  columns: readonly (keyof Row<'activity'>)[],
  after: number,
  most: number,
) {
  return db
    .selectFrom('activity')
    .innerJoin('event', 'event.id', 'activity.event_id')
    .select(columns.map((column) => `activity.${column}` as const))
    .where('event.is_deleted', '=', 0)
    .where('activity.id', '>', after)
    .orderBy('activity.id')
    .limit(most)
    .execute()
}
