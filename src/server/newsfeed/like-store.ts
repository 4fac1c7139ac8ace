import type { ParticipantId, TopicId } from '../core/ids.ts'
import { prepared } from '../db/prepared.ts'
import type { Db } from '../db/tables.ts'
import { authorColumns } from '../participants/author-columns.ts'

/** The authors who like a topic, oldest like first. Index `one_like_each` rules out duplicates. */
export const findLikers = prepared((db, topicId: TopicId) =>
  db
    .selectFrom('topic_like')
    .leftJoin('participant as author', 'author.id', 'topic_like.participant_id')
    .select(['topic_like.participant_id', ...authorColumns])
    .where('topic_like.topic_id', '=', topicId)
    .where('topic_like.is_deleted', '=', 0)
    .orderBy('topic_like.id'),
)

const likesOfTopics = prepared((db, topicIds: TopicId[]) =>
  db
    .selectFrom('topic_like')
    .select(['topic_id', 'participant_id'])
    .where('topic_id', 'in', topicIds)
    .where('is_deleted', '=', 0)
    .orderBy('id'),
)

/** The likes of these topics, oldest first, without their authors: many likes come from the same few people. */
export const findLikes = (db: Db, topicIds: TopicId[]) =>
  topicIds.length === 0 ? Promise.resolve([]) : likesOfTopics(db, topicIds)

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
