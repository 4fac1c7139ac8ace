import { sql } from 'kysely'
import type { Db } from '../tables.ts'

/**
 * Lets the server see how many rows there are. By itself it looks about once a minute, and may have done so in the middle
 * of a load; until the next time it would plan for tables that are empty.
 */
export async function analyzeTables(db: Db): Promise<void> {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()`.execute(db)
  for (const { name } of tables.rows) await sql`analyze ${sql.table(name)}`.execute(db)
}
