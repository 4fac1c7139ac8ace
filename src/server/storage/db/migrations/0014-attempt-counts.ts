import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

/** Counts attempts apart from the codes, which end with the address or the participant that they are for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  await db.schema
    .createTable('attempt_count')
    .addColumn('key_hmac', 'text', (column) => column.primaryKey())
    .addColumn('attempts', 'bigint', required)
    .addColumn('ends_at', 'bigint', required)
    .execute()
  await db.schema.createIndex('attempt_count_by_end').on('attempt_count').column('ends_at').execute()
  await db.schema.dropIndex('code_by_network').execute()
  await db.schema.alterTable('code').dropColumn('network').execute()
  await db.schema.createIndex('code_of_participant').on('code').column('participant_id').execute()
}
