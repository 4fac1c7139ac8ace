import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'

/** Marks sign-ins that come from the desk, and erases the addresses of organizers who were removed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const unset = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)
  await db.schema.alterTable('credential').addColumn('from_desk', 'bigint', unset).execute()
  await db.schema.alterTable('login').addColumn('from_desk', 'bigint', unset).execute()
  // All are marked, because the label does not say whether the organizer was an owner.
  // Rows of `login` do not say who set the address, so none is marked; no release had this table.
  await sql`update credential set from_desk = 1
    where participant_id <> 0 and kind in ('session', 'invitation') and label like '%Invited by an organizer'`.execute(
    db,
  )
  await sql`update organizer set email = 'removed ' || id where removed_at <> 0`.execute(db)
}
