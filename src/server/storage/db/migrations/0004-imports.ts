import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter } from 'kysely'

/** Every import, and what each record was before and after it, so that it can be taken back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const identity = (column: ColumnDefinitionBuilder) =>
    postgres ? column.generatedByDefaultAsIdentity().primaryKey() : column.primaryKey().autoIncrement()
  const idType = postgres ? 'bigint' : 'integer'
  const required = (column: ColumnDefinitionBuilder) => column.notNull()

  await db.schema
    .createTable('import_run')
    .addColumn('id', idType, identity)
    .addColumn('at', 'bigint', required)
    .addColumn('command', 'text', required)
    .addColumn('file', 'text', required)
    .addColumn('undone_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()

  await db.schema
    .createTable('import_record')
    .addColumn('id', idType, identity)
    .addColumn('import_id', 'bigint', (column) => column.notNull().references('import_run.id'))
    .addColumn('kind', 'text', required)
    .addColumn('record_id', 'bigint', required)
    .addColumn('before', 'text', required)
    .addColumn('after', 'text', required)
    .execute()
  await db.schema.createIndex('import_record_of_run').on('import_record').columns(['import_id', 'id']).execute()
  await db.schema.createIndex('import_record_by_record').on('import_record').columns(['kind', 'record_id']).execute()
}
