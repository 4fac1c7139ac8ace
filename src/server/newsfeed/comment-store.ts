import { sql } from 'kysely'
import type { Db, NewRow, Row } from '../db/tables.ts'
import { Failure } from '../failure.ts'
import type { CommentId, ParticipantId, TopicId } from '../ids.ts'
import { type Page, rowsOf } from '../paging.ts'

/** The latest `most` comments of each of these topics, oldest first. */
export async function latestComments(db: Db, topicIds: TopicId[], most: number): Promise<Row<'comment'>[]> {
  if (topicIds.length === 0) return []
  const ranked = db
    .selectFrom('comment')
    .select(['id', sql<number>`row_number() over (partition by topic_id order by id desc)`.as('recency')])
    .where('topic_id', 'in', topicIds)
    .where('is_deleted', '=', 0)
    .as('ranked')
  return db
    .selectFrom('comment')
    .innerJoin(ranked, 'ranked.id', 'comment.id')
    .selectAll('comment')
    .where('ranked.recency', '<=', most)
    .orderBy('comment.id')
    .execute()
}

/** A page of a topic's comments, oldest first. */
export async function pageOfComments(db: Db, topicId: TopicId, page: Page): Promise<Row<'comment'>[]> {
  const ids = db
    .selectFrom('comment')
    .select('id')
    .where('topic_id', '=', topicId)
    .where('is_deleted', '=', 0)
    .orderBy('id')
    .limit(rowsOf(page))
    .offset(page.offset)
  return db.selectFrom('comment').selectAll().where('id', 'in', ids).orderBy('id').execute()
}

/** @throws Failure COMMENT_NOT_FOUND also when it or its topic is deleted */
export async function getCommentRow(db: Db, id: CommentId): Promise<Row<'comment'>> {
  const row = await db
    .selectFrom('comment')
    .innerJoin('topic', 'topic.id', 'comment.topic_id')
    .selectAll('comment')
    .where('comment.id', '=', id)
    .where('comment.is_deleted', '=', 0)
    .where('topic.is_deleted', '=', 0)
    .executeTakeFirst()
  if (!row) throw new Failure('COMMENT_NOT_FOUND')
  return row
}

export async function insertComment(db: Db, comment: NewRow<'comment'>): Promise<CommentId> {
  const { id } = await db.insertInto('comment').values(comment).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function changeComment(
  db: Db,
  id: CommentId,
  change: { comment: string; modified_at: number; modified_by: ParticipantId },
): Promise<void> {
  await db.updateTable('comment').set(change).where('id', '=', id).execute()
}

export async function markCommentDeleted(db: Db, id: CommentId, deleted_at: number): Promise<void> {
  await db.updateTable('comment').set({ is_deleted: 1, deleted_at }).where('id', '=', id).execute()
}
