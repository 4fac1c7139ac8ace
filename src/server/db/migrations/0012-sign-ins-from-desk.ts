import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'

/** What the desk let in, and no address of organizers who were removed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const unset = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)
  await db.schema.alterTable('credential').addColumn('from_desk', 'bigint', unset).execute()
  await db.schema.alterTable('login').addColumn('from_desk', 'bigint', unset).execute()
  // Which organizer it was is not known. Rows of `login` stay unmarked, as nothing in them says who set the address: no
  // release had this table yet, so only databases of unreleased versions have any.
  await sql`update credential set from_desk = 1
    where participant_id <> 0 and kind in ('session', 'invitation') and label like '%Invited by an organizer'`.execute(
    db,
  )
  await sql`update organizer set email = 'removed ' || id where removed_at <> 0`.execute(db)
}
