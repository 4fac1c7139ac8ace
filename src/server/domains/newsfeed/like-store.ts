import { sql } from 'kysely'
import type { ParticipantId, TopicId } from '../../core/ids.ts'
import { prepared } from '../../storage/db/prepared.ts'
import type { Db, Row } from '../../storage/db/tables.ts'
import { authorColumns } from '../participants/author-columns.ts'

const latestLikers = prepared((db, topicId: TopicId, max: number) =>
  db
    .selectFrom('topic_like')
    .leftJoin('participant as author', 'author.id', 'topic_like.participant_id')
    .select(['topic_like.participant_id', ...authorColumns])
    .where('topic_like.topic_id', '=', topicId)
    .where('topic_like.is_deleted', '=', 0)
    .orderBy('topic_like.id', 'desc')
    .limit(max),
)

/** The authors of the latest likes of a topic, oldest first. Index `one_like_each` rules out duplicates. */
export const findLikers = async (db: Db, topicId: TopicId, max: number) =>
  (await latestLikers(db, topicId, max)).reverse()

const selectLikes = (db: Db) => db.selectFrom('topic_like').select(['id', 'topic_id', 'participant_id'])

/** In no particular order: with one, an engine might look for these topics among the likes of all, in that order. */
const someLikes = prepared((db, topicIds: TopicId[], max: number) =>
  selectLikes(db).where('topic_id', 'in', topicIds).where('is_deleted', '=', 0).limit(max),
)

/** The latest likes of each topic: as many ranks as fit into `max`. */
const latestLikes = prepared((db, topicIds: TopicId[], max: number) => {
  const ranked = db
    .selectFrom('topic_like')
    .select(['id', sql<number>`row_number() over (partition by topic_id order by id desc)`.as('rank')])
    .where('topic_id', 'in', topicIds)
    .where('is_deleted', '=', 0)
    .as('ranked')
  // The running total adds all likes of equal rank at once.
  const counted = db
    .selectFrom(ranked)
    .select(['id', sql<number>`count(*) over (order by rank)`.as('likes')])
    .as('counted')
  return selectLikes(db).where('id', 'in', db.selectFrom(counted).select('id').where('likes', '<=', max))
})

/**
 * The likes of these topics, oldest first, without their authors, as many likes come from the same few people: all, or
 * the same number of the latest of each, the greatest with which there are at most `max`.
 */
export async function findLikes(db: Db, topicIds: TopicId[], max: number) {
  if (topicIds.length === 0) return []
  const some = await someLikes(db, topicIds, max + 1)
  const likes = some.length <= max ? some : await latestLikes(db, topicIds, max)
  return likes.sort((one, other) => one.id - other.id)
}

const counts = prepared((db, topicIds: TopicId[]) =>
  db
    .selectFrom('topic_like')
    .select(({ fn }) => ['topic_id', fn.countAll<number>().as('likes')])
    .where('topic_id', 'in', topicIds)
    .where('is_deleted', '=', 0)
    .groupBy('topic_id'),
)

/** @returns a lookup of the number of likes of a topic, which are counted in their index */
export async function countLikes(db: Db, topicIds: TopicId[]): Promise<(topicId: TopicId) => number> {
  const rows = topicIds.length === 0 ? [] : await counts(db, topicIds)
  const countOf = new Map(rows.map(({ topic_id, likes }) => [topic_id, likes]))
  return (topicId) => countOf.get(topicId) ?? 0
}

const likeOf = prepared((db, topicId: TopicId, participantId: ParticipantId) =>
  db
    .selectFrom('topic_like')
    .select('id')
    .where('topic_id', '=', topicId)
    .where('participant_id', '=', participantId)
    .where('is_deleted', '=', 0),
)

/** @returns the id of the like, or undefined */
export const findLikeId = async (db: Db, topicId: TopicId, participantId: ParticipantId): Promise<number | undefined> =>
  (await likeOf(db, topicId, participantId))[0]?.id

export async function insertLike(
  db: Db,
  topicId: TopicId,
  participantId: ParticipantId,
  created_at: number,
): Promise<void> {
  await db
    .insertInto('topic_like')
    .values({ topic_id: topicId, participant_id: participantId, created_at, created_by: participantId })
    .execute()
}

export async function softDeleteLike(db: Db, id: number, deleted_at: number, deleted_by: ParticipantId): Promise<void> {
  await db.updateTable('topic_like').set({ is_deleted: 1, deleted_at, deleted_by }).where('id', '=', id).execute()
}

/** Excludes likes of deleted topics. */
export async function likesAfter(db: Db, columns: readonly (keyof Row<'topic_like'>)[], after: number, limit: number) {
  return db
    .selectFrom('topic_like')
    .innerJoin('topic', 'topic.id', 'topic_like.topic_id')
    .select(columns.map((column) => `topic_like.${column}` as const))
    .where('topic_like.is_deleted', '=', 0)
    .where('topic.is_deleted', '=', 0)
    .where('topic_like.id', '>', after)
    .orderBy('topic_like.id')
    .limit(limit)
    .execute()
}
