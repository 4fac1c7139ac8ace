import { type Kysely, sql } from 'kysely'
import { listNames } from '../src/server/domains/export/list-names.ts'
import { type RecordTable, type Tables, tableNames } from '../src/server/storage/db/tables.ts'

/** Of all secrets, there are few. */
export const bigTables = tableNames.filter((table) => table !== 'secret' && table !== 'topic_block')

/** All that operators export. */
export const recordTables = Object.keys(listNames) as RecordTable[]

/**
 * Values that most rows have in common, by column; others differ from row to row. One organizer in a hundred
 * credentials, one program, and nothing deleted.
 */
const common: Record<string, string> = {
  is_deleted: '0',
  is_hidden: '0',
  is_cancelled: '0',
  deleted_at: '0',
  deleted_by: '0',
  revoked_at: '0',
  removed_at: '0',
  redeemed_at: '0',
  undone_at: '0',
  organizer_id: '(case when n % 100 = 0 then n / 10000 else 0 end)',
  passkey_id: '0',
  kind: `(case n % 3 when 0 then 'session' when 1 then 'invitation' else 'key' end)`,
  purpose: `'sign-in'`,
  source: `'program'`,
  network: `'192.0.2.' || (n % 100)`,
  roles: `''`,
}

/** Values that one table has instead, because they have to be unique or exist. */
const particular: Partial<Record<keyof Tables, Record<string, string>>> = {
  organizer_identity: { organizer_id: 'n' },
  passkey: { organizer_id: 'n' },
  revision: { notes: `'[]'` },
  event: { draft: `''` },
  file: { topic_id: '(case when n % 2 = 0 then n end)', comment_id: '(case when n % 2 = 1 then n end)' },
}

/** Fills these tables with so many rows. The values of a new column follow from its type. */
export async function fillTables(
  db: Kysely<Tables>,
  rows: number,
  names: readonly (keyof Tables)[] = bigTables,
): Promise<void> {
  const tables = await db.introspection.getTables()
  for (const name of names) {
    const columns = tables.find((table) => table.name === name)?.columns ?? []
    const values = columns.map(({ name: column, dataType }) => {
      const isText = /text/i.test(dataType)
      const value = particular[name]?.[column] ?? common[column] ?? (isText ? `'${column} ' || n` : 'n')
      return sql`${sql.raw(value)}`
    })
    await sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(rows)})
      insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column.name)))})
      select ${sql.join(values)} from numbers
      where true on conflict do nothing`.execute(db)
  }
}
