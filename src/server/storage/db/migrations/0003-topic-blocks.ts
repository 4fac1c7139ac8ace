import { type Kysely, sql } from 'kysely'

/** Counts the topics in each block of 4,096 ids, so that deep pages need not count the topics that they skip. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('topic_block')
    .addColumn('block', 'bigint', (column) => column.notNull().primaryKey())
    .addColumn('kept', 'bigint', (column) => column.notNull())
    .execute()
  await sql`insert into topic_block (block, kept)
    select id / 4096, count(*) from topic where is_deleted = 0 group by id / 4096`.execute(db)
}
