import type { EventId, ParticipantId } from '../../core/ids.ts'
import { inChunks, rowsPerInsert } from '../../storage/db/in-chunks.ts'
import { prepared } from '../../storage/db/prepared.ts'
import type { Db, Row } from '../../storage/db/tables.ts'

const ofParticipant = prepared((db, participant: ParticipantId) =>
  db.selectFrom('star').select(['event_id', 'created_at']).where('participant_id', '=', participant).orderBy('id'),
)

/** The stars of a participant, oldest first. */
export const findStars = (
  db: Db,
  participant: ParticipantId,
): Promise<Pick<Row<'star'>, 'event_id' | 'created_at'>[]> => ofParticipant(db, participant)

/** @param events without those that the participant has starred */
export async function insertStars(
  db: Db,
  participant_id: ParticipantId,
  events: readonly EventId[],
  created_at: number,
): Promise<void> {
  const perInsert = rowsPerInsert(3)
  for (let start = 0; start < events.length; start += perInsert) {
    const some = events.slice(start, start + perInsert)
    await db
      .insertInto('star')
      .values(some.map((event_id) => ({ participant_id, event_id, created_at })))
      .execute()
  }
}

export async function deleteStars(db: Db, participant: ParticipantId, events: EventId[]): Promise<void> {
  await inChunks(events, (some) =>
    db.deleteFrom('star').where('participant_id', '=', participant).where('event_id', 'in', some).execute(),
  )
}

/** The events among `ids` that somebody has starred. */
export const starredEvents = (db: Db, ids: EventId[]) =>
  inChunks(ids, (some) => db.selectFrom('star').select('event_id').distinct().where('event_id', 'in', some).execute())

/** For the export: the stars of each event that is not deleted and has any. The id is that of the event. */
export const starCountsAfter = (db: Db, _: unknown, after: EventId, limit: number) =>
  db
    .selectFrom('star')
    .innerJoin('event', 'event.id', 'star.event_id')
    .select(({ fn }) => ['event.id', 'event.title as session', fn.countAll<number>().as('stars')])
    .where('event.is_deleted', '=', 0)
    .where('event.id', '>', after)
    .groupBy(['event.id', 'event.title'])
    .orderBy('event.id')
    .limit(limit)
    .execute()
