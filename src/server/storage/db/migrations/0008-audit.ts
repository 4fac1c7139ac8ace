import type { Kysely } from 'kysely'

/** Who made a change, by credential, and the hash that chains it to the change before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const change = () => db.schema.alterTable('change')
  await change()
    .addColumn('credential_id', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  // Changes from before have none.
  await change()
    .addColumn('hash', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
}
