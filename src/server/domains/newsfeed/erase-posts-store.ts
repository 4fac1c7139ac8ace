import type { CommentId, ParticipantId, TopicId } from '../../core/ids.ts'
import type { Db } from '../../storage/db/tables.ts'

/** All topics of a participant, including deleted ones. */
export const topicsOf = (db: Db, participant: ParticipantId) =>
  db.selectFrom('topic').select(['id', 'is_deleted']).where('created_by', '=', participant).execute()

/** All comments of a participant, including deleted ones. */
export const commentsOf = (db: Db, participant: ParticipantId) =>
  db.selectFrom('comment').select('id').where('created_by', '=', participant).execute()

export const commentsOfTopics = (db: Db, topicIds: TopicId[]) =>
  db.selectFrom('comment').select('id').where('topic_id', 'in', topicIds).execute()

/** The files of the comments must have been deleted. */
export const deleteComments = (db: Db, ids: CommentId[]) =>
  db.deleteFrom('comment').where('id', 'in', ids).returning('id').execute()

/** The comments and files of the topics must have been deleted. */
export async function deleteTopics(db: Db, ids: TopicId[]): Promise<{ id: TopicId }[]> {
  await db.deleteFrom('topic_like').where('topic_id', 'in', ids).execute()
  return db.deleteFrom('topic').where('id', 'in', ids).returning('id').execute()
}
