import type { CommentId, TopicId } from '../../core/ids.ts'
import type { Db, Row } from '../../storage/db/tables.ts'

export async function topicsAfter(db: Db, columns: readonly (keyof Row<'topic'>)[], after: TopicId, limit: number) {
  const notDeleted = db.selectFrom('topic').select(columns).where('is_deleted', '=', 0)
  return notDeleted.where('id', '>', after).orderBy('id').limit(limit).execute()
}

/** Excludes comments of deleted topics. */
export async function commentsAfter(
  db: Db,
  columns: readonly (keyof Row<'comment'>)[],
  after: CommentId,
  limit: number,
) {
  return db
    .selectFrom('comment')
    .innerJoin('topic', 'topic.id', 'comment.topic_id')
    .select(columns.map((column) => `comment.${column}` as const))
    .where('comment.is_deleted', '=', 0)
    .where('topic.is_deleted', '=', 0)
    .where('comment.id', '>', after)
    .orderBy('comment.id')
    .limit(limit)
    .execute()
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
