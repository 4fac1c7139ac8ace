import type { Kysely } from 'kysely'

/** A place for what the processes that share a database keep to themselves, such as the key that they sign with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('secret')
    .addColumn('name', 'text', (column) => column.notNull().primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute()
}
