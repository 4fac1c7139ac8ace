import { sql } from 'kysely'
import type { Db } from '../tables.ts'

/** Prepares the server for what was loaded with ids of its own. */
export async function afterLoad(db: Db): Promise<void> {
  await advanceIdentities(db)
  await analyzeTables(db)
}

/** Advances the sequence of every identity column past its highest value: inserting explicit values does not. */
async function advanceIdentities(db: Db): Promise<void> {
  const columns = await sql<{ table_name: string; column_name: string }>`
    select table_name, column_name from information_schema.columns
    where is_identity = 'YES' and table_schema = current_schema()`.execute(db)
  for (const { table_name, column_name } of columns.rows)
    await sql`
      select setval(
        pg_get_serial_sequence(quote_ident(${table_name}), ${column_name}),
        coalesce((select max(${sql.ref(column_name)}) from ${sql.table(table_name)}), 0) + 1,
        false)`.execute(db)
}

/**
 * Updates the server's statistics. Autovacuum does so about once a minute, possibly in the middle of a load; until its
 * next run the server would plan for empty tables.
 */
async function analyzeTables(db: Db): Promise<void> {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()`.execute(db)
  for (const { name } of tables.rows) await sql`analyze ${sql.table(name)}`.execute(db)
}
