import { sql } from 'kysely'
import type { EmbeddedComments } from '../../../contract/limits.ts'
import type { CommentId, TopicId } from '../../core/ids.ts'
import { inChunks } from '../../storage/db/in-chunks.ts'
import { prepared } from '../../storage/db/prepared.ts'
import type { Db } from '../../storage/db/tables.ts'
import { type ShownComment, selectShownComments, shownCommentColumns } from './comment-store.ts'

/** The latest comments of one topic, latest first. */
const latestOfOne = prepared((db, topicId: TopicId, max: number) =>
  selectShownComments(db)
    .where('comment.topic_id', '=', topicId)
    .where('comment.is_deleted', '=', 0)
    .orderBy('comment.id', 'desc')
    .limit(max),
)

/**
 * The latest comments of each of these topics, oldest first. The first of them is found beforehand, once per topic over
 * the narrow index: as a condition of the join, an engine with poor statistics would look for it once per comment.
 */
const latestOfEach = prepared((db, topicIds: TopicId[], maxMinus1: number) =>
  db
    .with(
      (cte) => cte('first').materialized(),
      (db) =>
        db
          .selectFrom('topic')
          .select('topic.id')
          .select((where) =>
            where.fn
              .coalesce(
                where
                  .selectFrom('comment as earlier')
                  .select('earlier.id')
                  .whereRef('earlier.topic_id', '=', 'topic.id')
                  .where('earlier.is_deleted', '=', 0)
                  .orderBy('earlier.id', 'desc')
                  .limit(1)
                  .offset(maxMinus1),
                sql<CommentId>`0`,
              )
              .as('oldest'),
          )
          .where('topic.id', 'in', topicIds),
    )
    .selectFrom('first')
    .innerJoin('comment', (join) =>
      join
        .onRef('comment.topic_id', '=', 'first.id')
        .on('comment.is_deleted', '=', 0)
        .onRef('comment.id', '>=', 'first.oldest'),
    )
    .leftJoin('participant as author', 'author.id', 'comment.created_by')
    .select(shownCommentColumns)
    .orderBy('comment.topic_id')
    .orderBy('comment.id'),
)

/**
 * Finds the latest comments of these topics, oldest first: the same number of each topic (if it has that many), the
 * greatest that is within the limits.
 */
export async function findLatestComments(db: Db, topicIds: TopicId[], max: EmbeddedComments): Promise<ShownComment[]> {
  const [topicId] = topicIds
  if (topicId === undefined) return []
  // Few topics cannot exceed the number of comments, and rarely the number of characters.
  if (topicIds.length * max.ofEach <= max.ofAll) {
    const rows =
      topicIds.length === 1
        ? (await latestOfOne(db, topicId, max.ofEach)).reverse()
        : await latestOfEach(db, topicIds, max.ofEach - 1)
    if (rows.reduce((sum, { comment }) => sum + comment.length, 0) <= max.charactersOfAll) return rows
  }
  return findWithinLimits(db, topicIds, max)
}

/**
 * Texts are long, so only those within the number of comments are measured, and only those within all limits are read.
 */
async function findWithinLimits(db: Db, topicIds: TopicId[], max: EmbeddedComments): Promise<ShownComment[]> {
  const candidates = await latestOfAll(db, topicIds, max.ofEach, max.ofAll)
  const lengths = await inChunks(
    candidates.map(({ id }) => id),
    (ids) => lengthsOf(db, ids),
  )
  const lengthOf = new Map(lengths.map(({ id, characters }) => [id, characters]))
  const ids: CommentId[] = []
  let characters = 0
  // All of a rank or none, so that no topic gets more comments than another.
  for (const sameRank of Map.groupBy(candidates, ({ rank }) => rank).values()) {
    for (const { id } of sameRank) characters += lengthOf.get(id) ?? 0
    if (characters > max.charactersOfAll) break
    ids.push(...sameRank.map(({ id }) => id))
  }
  return inChunks(
    ids.sort((one, other) => one - other),
    (some) => byIds(db, some),
  )
}

/** The latest comments without their texts: as many ranks as fit into `ofAll`, latest first. */
const latestOfAll = prepared((db, topicIds: TopicId[], ofEach: number, ofAll: number) => {
  const ranked = db
    .selectFrom('comment')
    .select(['id', sql<number>`row_number() over (partition by topic_id order by id desc)`.as('rank')])
    .where('topic_id', 'in', topicIds)
    .where('is_deleted', '=', 0)
    .as('ranked')
  // The running total adds all comments of equal rank at once.
  const counted = db
    .selectFrom(ranked)
    .select(['id', 'rank', sql<number>`count(*) over (order by rank)`.as('comments')])
    .where('rank', '<=', ofEach)
    .as('counted')
  return db.selectFrom(counted).select(['id', 'rank']).where('comments', '<=', ofAll).orderBy('rank')
})

const lengthsOf = prepared((db, ids: CommentId[]) =>
  db
    .selectFrom('comment')
    .select(['id', sql<number>`length(comment)`.as('characters')])
    .where('id', 'in', ids),
)

const byIds = prepared((db, ids: CommentId[]) =>
  selectShownComments(db).where('comment.id', 'in', ids).orderBy('comment.id'),
)
