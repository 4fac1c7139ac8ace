import { sql } from 'kysely'
import type { EmbeddedComments } from '../../contract/limits.ts'
import type { CommentId, TopicId } from '../core/ids.ts'
import { inChunks } from '../db/in-chunks.ts'
import { prepared } from '../db/prepared.ts'
import type { Db } from '../db/tables.ts'
import { type ShownComment, shownComments, shownOfComment } from './comment-store.ts'

/** The latest comments of a topic, latest first. */
const latestOfOne = prepared((db, topicId: TopicId, most: number) =>
  shownComments(db)
    .where('comment.topic_id', '=', topicId)
    .where('comment.is_deleted', '=', 0)
    .orderBy('comment.id', 'desc')
    .limit(most),
)

/**
 * The latest comments of each of these topics, oldest first within each. Where they begin is found first, once for each
 * topic over the narrow index: as a condition of the join, an engine that knows little of the tables looks for it once for
 * each comment.
 */
const latestOfEach = prepared((db, topicIds: TopicId[], mostBut1: number) =>
  db
    .with(
      (cte) => cte('beginning').materialized(),
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
                  .offset(mostBut1),
                sql<CommentId>`0`,
              )
              .as('oldest'),
          )
          .where('topic.id', 'in', topicIds),
    )
    .selectFrom('beginning')
    .innerJoin('comment', (join) =>
      join
        .onRef('comment.topic_id', '=', 'beginning.id')
        .on('comment.is_deleted', '=', 0)
        .onRef('comment.id', '>=', 'beginning.oldest'),
    )
    .leftJoin('participant as author', 'author.id', 'comment.created_by')
    .select(shownOfComment)
    .orderBy('comment.topic_id')
    .orderBy('comment.id'),
)

/**
 * The latest comments of each of these topics, oldest first: the same number of each, where it has so many, and the
 * greatest with which they are within the bounds of each and of all.
 */
export async function latestComments(db: Db, topicIds: TopicId[], most: EmbeddedComments): Promise<ShownComment[]> {
  const [topicId] = topicIds
  if (topicId === undefined) return []
  // So few topics cannot have too many, and seldom have too long ones.
  if (topicIds.length * most.ofEach <= most.ofAll) {
    const rows =
      topicIds.length === 1
        ? (await latestOfOne(db, topicId, most.ofEach)).reverse()
        : await latestOfEach(db, topicIds, most.ofEach - 1)
    if (rows.reduce((sum, { comment }) => sum + comment.length, 0) <= most.charactersOfAll) return rows
  }
  return latestWithinBounds(db, topicIds, most)
}

/** The texts are long: only those that are few enough are measured, and only those that are short enough are read. */
async function latestWithinBounds(db: Db, topicIds: TopicId[], most: EmbeddedComments): Promise<ShownComment[]> {
  const few = await latestOfAll(db, topicIds, most.ofEach, most.ofAll)
  const lengths = await inChunks(
    few.map(({ id }) => id),
    (ids) => lengthsOf(db, ids),
  )
  const lengthOf = new Map(lengths.map(({ id, characters }) => [id, characters]))
  const within: CommentId[] = []
  let characters = 0
  // A whole rank or none of it, so that no topic gets more than another.
  for (const rank of Map.groupBy(few, ({ recency }) => recency).values()) {
    for (const { id } of rank) characters += lengthOf.get(id) ?? 0
    if (characters > most.charactersOfAll) break
    within.push(...rank.map(({ id }) => id))
  }
  return inChunks(
    within.sort((one, other) => one - other),
    (ids) => byIds(db, ids),
  )
}

/** Latest first, without their texts: as many ranks as have no more comments together than there may be. */
const latestOfAll = prepared((db, topicIds: TopicId[], ofEach: number, ofAll: number) => {
  const ranked = db
    .selectFrom('comment')
    .select(['id', sql<number>`row_number() over (partition by topic_id order by id desc)`.as('recency')])
    .where('topic_id', 'in', topicIds)
    .where('is_deleted', '=', 0)
    .as('ranked')
  // A running total takes in all of the same rank at once.
  const counted = db
    .selectFrom(ranked)
    .select(['id', 'recency', sql<number>`count(*) over (order by recency)`.as('comments')])
    .where('recency', '<=', ofEach)
    .as('counted')
  return db.selectFrom(counted).select(['id', 'recency']).where('comments', '<=', ofAll).orderBy('recency')
})

const lengthsOf = prepared((db, ids: CommentId[]) =>
  db
    .selectFrom('comment')
    .select(['id', sql<number>`length(comment)`.as('characters')])
    .where('id', 'in', ids),
)

const byIds = prepared((db, ids: CommentId[]) => shownComments(db).where('comment.id', 'in', ids).orderBy('comment.id'))
