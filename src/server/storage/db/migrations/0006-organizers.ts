import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter } from 'kysely'

/** Organizers, and their credentials. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const identity = (column: ColumnDefinitionBuilder) =>
    postgres ? column.generatedByDefaultAsIdentity().primaryKey() : column.primaryKey().autoIncrement()
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  const unset = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)

  await db.schema
    .createTable('organizer')
    .addColumn('id', postgres ? 'bigint' : 'integer', identity)
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('roles', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('removed_at', 'bigint', unset)
    .execute()
  await db.schema.alterTable('credential').addColumn('organizer_id', 'bigint', unset).execute()
  await db.schema.createIndex('credential_of_organizer').on('credential').column('organizer_id').execute()
}
