import { sql } from 'kysely'
import type { TopicId } from '../../core/ids.ts'
import { prepared } from '../../storage/db/prepared.ts'
import type { Db } from '../../storage/db/tables.ts'

/** Ids per block, as in the migration that created the table. */
const blockSize = 4_096

/** Below this offset, skipping over the index costs no more than finding the block. */
export const deepOffset = 2 * blockSize

const addToBlock = prepared((db, block: number, change: number) =>
  db
    .insertInto('topic_block')
    .values({ block, kept: change })
    .onConflict((conflict) =>
      conflict.column('block').doUpdateSet({ kept: sql<number>`topic_block.kept + excluded.kept` }),
    ),
)

/** Updates the count for a created (1) or deleted (-1) topic. Call in the transaction of the change. */
export async function adjustTopicCount(db: Db, id: TopicId, change: 1 | -1): Promise<void> {
  await addToBlock(db, Math.floor(id / blockSize), change)
}

/** The number of topics that are not deleted, without reading them. */
export async function countTopics(db: Db): Promise<number> {
  const { topics } = await db
    .selectFrom('topic_block')
    .select(({ fn }) => fn.sum<number | null>('kept').as('topics'))
    .executeTakeFirstOrThrow()
  return Number(topics)
}

/** Rebuilds all counts, after a bulk insert without {@link adjustTopicCount}. */
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
 * Finds the start of a deep page, newest first. The cost grows with the number of blocks, not of topics.
 * @returns the page starts after skipping `skip` topics below the id `below`
 */
export async function findPageStart(db: Db, offset: number): Promise<{ below: TopicId; skip: number }> {
  const [start] = await blockAt(db, offset)
  if (!start) return { below: Number.MAX_SAFE_INTEGER as TopicId, skip: offset }
  return { below: ((Number(start.block) + 1) * blockSize) as TopicId, skip: offset - Number(start.newer) }
}
