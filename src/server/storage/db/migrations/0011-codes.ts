import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter } from 'kysely'

/** The addresses with which participants sign in, and the codes that are sent to them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const identity = (column: ColumnDefinitionBuilder) =>
    postgres ? column.generatedByDefaultAsIdentity().primaryKey() : column.primaryKey().autoIncrement()
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  const unset = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)

  await db.schema
    .createTable('login')
    .addColumn('participant_id', 'bigint', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .execute()
  await db.schema
    .createTable('code')
    .addColumn('id', postgres ? 'bigint' : 'integer', identity)
    .addColumn('purpose', 'text', required)
    .addColumn('participant_id', 'bigint', unset)
    .addColumn('email', 'text', required)
    .addColumn('browser_sha256', 'text', required)
    .addColumn('network', 'text', required)
    .addColumn('code_hmac', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('wrong_tries', 'bigint', unset)
    .addColumn('redeemed_at', 'bigint', unset)
    .execute()
  for (const columns of [['email'], ['browser_sha256'], ['network'], ['redeemed_at', 'created_at']])
    await db.schema.createIndex(`code_by_${columns[0]}`).on('code').columns(columns).execute()
}
