import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter } from 'kysely'

/** Passkeys of organizers, the challenges that they have to sign, and the sessions that they have started. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const identity = (column: ColumnDefinitionBuilder) =>
    postgres ? column.generatedByDefaultAsIdentity().primaryKey() : column.primaryKey().autoIncrement()
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  const unset = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)

  await db.schema
    .createTable('passkey')
    .addColumn('id', postgres ? 'bigint' : 'integer', identity)
    .addColumn('webauthn_id', 'text', (column) => column.notNull().unique())
    .addColumn('public_key', 'text', required)
    .addColumn('counter', 'bigint', required)
    .addColumn('transports', 'text', required)
    .addColumn('organizer_id', 'bigint', required)
    .addColumn('label', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('used_at', 'bigint', unset)
    .execute()
  await db.schema.createIndex('passkey_of_organizer').on('passkey').column('organizer_id').execute()
  await db.schema
    .createTable('passkey_challenge')
    .addColumn('secret_sha256', 'text', (column) => column.notNull().primaryKey())
    .addColumn('organizer_id', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .execute()
  await db.schema.createIndex('passkey_challenge_by_end').on('passkey_challenge').column('expires_at').execute()
  await db.schema.alterTable('credential').addColumn('passkey_id', 'bigint', unset).execute()
}
