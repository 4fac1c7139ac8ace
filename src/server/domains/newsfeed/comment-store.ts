import { Failure } from '../../core/failure.ts'
import type { CommentId, ParticipantId, TopicId } from '../../core/ids.ts'
import type { PageParams } from '../../core/paging.ts'
import { prepared, preparedInsert } from '../../storage/db/prepared.ts'
import type { Db, Row } from '../../storage/db/tables.ts'
import { type FileColumn, fileColumn } from '../files/file-columns.ts'
import { type AuthorColumns, authorColumns } from '../participants/author-columns.ts'

/** A comment as shown, with its author and whether it has files. */
export type ShownComment = BareComment & Pick<Row<'comment'>, 'modified_at'> & AuthorColumns & FileColumn

/** A comment without joined columns. */
export type BareComment = Pick<Row<'comment'>, 'id' | 'topic_id' | 'comment' | 'created_by' | 'created_at'>

/** The columns of {@link ShownComment}, from `comment` and `author`. */
export const shownCommentColumns = [
  'comment.id',
  'comment.topic_id',
  'comment.comment',
  'comment.created_by',
  'comment.created_at',
  'comment.modified_at',
  ...authorColumns,
  fileColumn,
] as const

export const selectShownComments = (db: Db) =>
  db
    .selectFrom('comment')
    .leftJoin('participant as author', 'author.id', 'comment.created_by')
    .select(shownCommentColumns)

const commentsOfTopic = prepared((db, topicId: TopicId, limit: number, offset: number) => {
  const ids = db.selectFrom('comment').select('id').where('topic_id', '=', topicId).where('is_deleted', '=', 0)
  return selectShownComments(db)
    .where('comment.id', 'in', ids.orderBy('id').limit(limit).offset(offset))
    .orderBy('comment.id')
})

/** A page of a topic's comments, oldest first. */
export const pageOfComments = (db: Db, topicId: TopicId, page: PageParams): Promise<ShownComment[]> =>
  commentsOfTopic(db, topicId, page.limit, page.offset)

const counts = prepared((db, topicIds: TopicId[]) =>
  db
    .selectFrom('comment')
    .select(({ fn }) => ['topic_id', fn.countAll<number>().as('comments')])
    .where('topic_id', 'in', topicIds)
    .where('is_deleted', '=', 0)
    .groupBy('topic_id'),
)

/** @returns a lookup of the number of comments of a topic, which are counted in their index */
export async function countComments(db: Db, topicIds: TopicId[]): Promise<(topicId: TopicId) => number> {
  const rows = topicIds.length === 0 ? [] : await counts(db, topicIds)
  const countOf = new Map(rows.map(({ topic_id, comments }) => [topic_id, comments]))
  return (topicId) => countOf.get(topicId) ?? 0
}

const byId = prepared((db, id: CommentId) =>
  selectShownComments(db)
    .innerJoin('topic', 'topic.id', 'comment.topic_id')
    .where('comment.id', '=', id)
    .where('comment.is_deleted', '=', 0)
    .where('topic.is_deleted', '=', 0),
)

/** @throws Failure COMMENT_NOT_FOUND also if it or its topic is deleted */
export async function getCommentRow(db: Db, id: CommentId): Promise<ShownComment> {
  const [row] = await byId(db, id)
  if (!row) throw new Failure('COMMENT_NOT_FOUND')
  return row
}

const insert = preparedInsert((db, topic_id: TopicId, comment: string, created_at: number, created_by: ParticipantId) =>
  db.insertInto('comment').values({ topic_id, comment, created_at, created_by }),
)

/** The values of a new comment. */
export type NewComment = Pick<Row<'comment'>, 'topic_id' | 'comment' | 'created_at' | 'created_by'>

export async function insertComment(db: Db, comment: NewComment): Promise<BareComment> {
  const { topic_id, comment: text, created_at, created_by } = comment
  const id = await insert(db, topic_id, text, created_at, created_by)
  return { id, ...comment }
}

export async function changeComment(
  db: Db,
  id: CommentId,
  change: { comment: string; modified_at: number; modified_by: ParticipantId },
): Promise<void> {
  await db.updateTable('comment').set(change).where('id', '=', id).execute()
}

/** @returns the topic of the comment; undefined if there is no deleted comment with this id */
export async function undeleteComment(db: Db, id: CommentId): Promise<TopicId | undefined> {
  const deleted = db.updateTable('comment').set({ is_deleted: 0, deleted_at: 0 }).where('id', '=', id)
  return (await deleted.where('is_deleted', '=', 1).returning('topic_id').executeTakeFirst())?.topic_id
}

/** Deleted comments, the last deleted one first. */
export const listDeletedComments = (db: Db) =>
  db
    .selectFrom('comment')
    .select(['id', 'comment as text', 'deleted_at'])
    .where('is_deleted', '=', 1)
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

export async function softDeleteComment(db: Db, id: CommentId, deleted_at: number): Promise<void> {
  await db.updateTable('comment').set({ is_deleted: 1, deleted_at }).where('id', '=', id).execute()
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
