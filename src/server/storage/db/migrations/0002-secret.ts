import type { Kysely } from 'kysely'

/** Secrets of the processes that share a database, such as their signing key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('secret')
    .addColumn('name', 'text', (column) => column.notNull().primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute()
}
