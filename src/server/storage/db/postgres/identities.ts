import { sql } from 'kysely'
import type { Db } from '../tables.ts'

/** Advances the sequence of every identity column past its highest value: inserting explicit values does not. */
export async function advanceIdentities(db: Db): Promise<void> {
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
