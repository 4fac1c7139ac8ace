import type { CommentId, ParticipantId, TopicId } from '../../core/ids.ts'
import type { Db } from '../../storage/db/tables.ts'

/** The participants among `ids` who have a topic, comment or like, even if it was deleted. */
export async function authorsAmong(db: Db, ids: ParticipantId[]): Promise<{ created_by: ParticipantId }[]> {
  const of = (table: 'topic' | 'comment' | 'topic_like') =>
    db.selectFrom(table).select('created_by').distinct().where('created_by', 'in', ids).execute()
  return [...(await of('topic')), ...(await of('comment')), ...(await of('topic_like'))]
}

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
