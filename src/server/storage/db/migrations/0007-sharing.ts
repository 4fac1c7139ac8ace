import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'

/** What participants let the directory show to others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const no = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)

  await db.schema
    .createTable('sharing')
    .addColumn('participant_id', 'bigint', (column) => column.notNull().primaryKey())
    .addColumn('email', 'integer', no)
    .addColumn('mobile_no', 'integer', no)
    .addColumn('employee_no', 'integer', no)
    .addColumn('is_hidden', 'integer', no)
    .execute()
  await db.schema
    .createIndex('hidden_participant')
    .on('sharing')
    .column('participant_id')
    .where(sql.ref('is_hidden'), '=', sql.lit(1))
    .execute()
}
