import { sql } from 'kysely'
import type { Db } from '../tables.ts'

/**
 * Updates the server's statistics. Autovacuum does so about once a minute, possibly in the middle of a load; until its
 * next run the server would plan for empty tables.
 */
export async function analyzeTables(db: Db): Promise<void> {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()`.execute(db)
  for (const { name } of tables.rows) await sql`analyze ${sql.table(name)}`.execute(db)
}
