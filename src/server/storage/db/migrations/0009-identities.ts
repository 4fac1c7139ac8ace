import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

/** Accounts with which organizers sign in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  await db.schema
    .createTable('organizer_identity')
    .addColumn('organizer_id', 'bigint', (column) => column.primaryKey())
    .addColumn('issuer', 'text', required)
    .addColumn('subject', 'text', required)
    .addColumn('connected_at', 'bigint', required)
    .addUniqueConstraint('organizer_identity_of_account', ['issuer', 'subject'])
    .execute()
}
