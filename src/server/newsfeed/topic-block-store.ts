import { sql } from 'kysely'
import type { TopicId } from '../core/ids.ts'
import { prepared } from '../db/prepared.ts'
import type { Db } from '../db/tables.ts'

/** Ids of a block; as in the migration that made them. */
const blockSize = 4_096

/** Skipping less than this over the index costs no more than looking for the block. */
export const deepOffset = 2 * blockSize

const count = prepared((db, block: number, by: number) =>
  db
    .insertInto('topic_block')
    .values({ block, kept: by })
    .onConflict((conflict) =>
      conflict.column('block').doUpdateSet({ kept: sql<number>`topic_block.kept + excluded.kept` }),
    ),
)

/** Counts a topic that comes to be kept (1) or is kept no more (-1), in the transaction in which it does. */
export async function countTopic(db: Db, id: TopicId, by: 1 | -1): Promise<void> {
  await count(db, Math.floor(id / blockSize), by)
}

/** Counts anew, after topics have come in by the thousand past {@link countTopic}. */
export async function recountTopics(db: Db): Promise<void> {
  const block = sql<number>`id / ${sql.lit(blockSize)}`
  await db.deleteFrom('topic_block').execute()
  await db
    .insertInto('topic_block')
    .columns(['block', 'kept'])
    .expression((from) =>
      from
        .selectFrom('topic')
        .select((select) => [block.as('block'), select.fn.countAll<number>().as('kept')])
        .where('is_deleted', '=', 0)
        .groupBy(block),
    )
    .execute()
}

const blockAt = prepared((db, offset: number) =>
  db
    .selectFrom(
      db
        .selectFrom('topic_block')
        .select(['block', 'kept', sql<number>`sum(kept) over (order by block desc) - kept`.as('newer')])
        .as('counted'),
    )
    .select(['block', 'newer'])
    .where('newer', '<=', offset)
    .orderBy('block')
    .limit(1),
)

/**
 * Where a deep page begins, newest first: the work of it grows with the number of blocks rather than of topics.
 * @returns an id below which to begin, and how many topics to skip from there
 */
export async function placeOf(db: Db, offset: number): Promise<{ below: TopicId; skip: number }> {
  const [found] = await blockAt(db, offset)
  if (!found) return { below: Number.MAX_SAFE_INTEGER as TopicId, skip: offset }
  return { below: ((Number(found.block) + 1) * blockSize) as TopicId, skip: offset - Number(found.newer) }
}
