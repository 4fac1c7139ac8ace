import { sql } from 'kysely'
import type { EmbeddedComments } from '../../contract/limits.ts'
import type { Db, NewRow, Row } from '../db/tables.ts'
import { Failure } from '../failure.ts'
import type { CommentId, ParticipantId, TopicId } from '../ids.ts'
import { type Page, rowsOf } from '../paging.ts'

/**
 * The latest comments of each of these topics, oldest first: the same number of each, where it has so many, and the
 * greatest with which they are within the bounds of each and of all.
 */
export async function latestComments(db: Db, topicIds: TopicId[], most: EmbeddedComments): Promise<Row<'comment'>[]> {
  if (topicIds.length === 0) return []
  const ranked = db
    .selectFrom('comment')
    .select(['id', sql<number>`row_number() over (partition by topic_id order by id desc)`.as('recency')])
    .where('topic_id', 'in', topicIds)
    .where('is_deleted', '=', 0)
    .as('ranked')
  // A running total takes in all of the same rank at once, so that no topic gets more than another.
  const counted = db
    .selectFrom(ranked)
    .select(['id', 'recency', sql<number>`count(*) over (order by recency)`.as('comments')])
    .where('recency', '<=', most.ofEach)
    .as('counted')
  // The texts are long: only those that are few enough are measured, and only those that are short enough are read.
  const measured = db
    .selectFrom('comment')
    .innerJoin(counted, 'counted.id', 'comment.id')
    .select(['comment.id', sql<number>`sum(length(comment.comment)) over (order by recency)`.as('characters')])
    .where('counted.comments', '<=', most.ofAll)
    .as('measured')
  return db
    .selectFrom('comment')
    .innerJoin(measured, 'measured.id', 'comment.id')
    .selectAll('comment')
    .where('measured.characters', '<=', most.charactersOfAll)
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
