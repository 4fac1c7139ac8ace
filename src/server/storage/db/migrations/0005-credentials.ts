import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter } from 'kysely'

/** Credentials of participants and organizers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const identity = (column: ColumnDefinitionBuilder) =>
    postgres ? column.generatedByDefaultAsIdentity().primaryKey() : column.primaryKey().autoIncrement()
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  const unset = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)

  await db.schema
    .createTable('credential')
    .addColumn('id', postgres ? 'bigint' : 'integer', identity)
    .addColumn('kind', 'text', required)
    .addColumn('secret_sha256', 'text', (column) => column.notNull().unique())
    .addColumn('participant_id', 'bigint', unset)
    .addColumn('roles', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('label', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', unset)
    .addColumn('revoked_at', 'bigint', unset)
    .addColumn('used_at', 'bigint', unset)
    .execute()
  await db.schema.createIndex('credential_of_participant').on('credential').column('participant_id').execute()
}
