import type { Kysely } from 'kysely'

/** What identity providers call the accounts of organizers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('organizer_identity')
    .addColumn('name', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
}
