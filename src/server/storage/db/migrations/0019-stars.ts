import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter } from 'kysely'

/** The events that participants have starred. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const identity = (column: ColumnDefinitionBuilder) =>
    postgres ? column.generatedByDefaultAsIdentity().primaryKey() : column.primaryKey().autoIncrement()
  const required = (column: ColumnDefinitionBuilder) => column.notNull()

  await db.schema
    .createTable('star')
    .addColumn('id', postgres ? 'bigint' : 'integer', identity)
    .addColumn('participant_id', 'bigint', required)
    .addColumn('event_id', 'bigint', (column) => column.notNull().references('event.id').onDelete('cascade'))
    .addColumn('created_at', 'bigint', required)
    .execute()
  const ofParticipant = db.schema.createIndex('star_of_participant').on('star').columns(['participant_id', 'event_id'])
  await ofParticipant.unique().execute()
  await db.schema.createIndex('star_of_event').on('star').column('event_id').execute()
}
