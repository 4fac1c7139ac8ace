import { type Kysely, sql } from 'kysely'
import { type Tables, tableNames } from './tables.ts'

/** Of all secrets, there are few. */
export const bigTables = tableNames.filter((table) => table !== 'secret' && table !== 'topic_block')

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
  file: { topic_id: '(case when n % 2 = 0 then n end)', comment_id: '(case when n % 2 = 1 then n end)' },
}

/** Fills every table with so many rows. The values of a new column follow from its type. */
export async function fillTables(db: Kysely<Tables>, rows: number): Promise<void> {
  const tables = await db.introspection.getTables()
  for (const name of bigTables) {
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

/** A part of a plan that reads many rows. */
interface Flaw {
  table: string
  /** It reads a whole table or index, a range of it with one end, or all rows with a common key. */
  kind: 'scan' | 'range' | 'key'
  /** The line of the plan. */
  line: string
}

/** @param perKey the mean number of rows with the same values in the first columns of an index, by its name */
export const findSqliteFlaws = (plan: readonly string[], perKey: ReadonlyMap<string, number[]>): Flaw[] =>
  plan.flatMap((line): Flaw[] => {
    const [, how = '', table = '', rest = ''] = /^(SCAN|SEARCH) (\w+)(.*)$/.exec(line) ?? []
    if (how === 'SCAN') return [{ table, kind: 'scan', line }]
    // Without conditions, it reads the first or last row.
    const conditions = /\((.*)\)/.exec(rest)?.[1]?.split(' AND ') ?? []
    const equal = conditions.filter((condition) => condition.endsWith('=?')).length
    const bounds = conditions.length - equal
    if (equal === 0 && bounds === 1) return [{ table, kind: 'range', line }]
    const index = /INDEX (\w+)/.exec(rest)?.[1] ?? ''
    return bounds === 0 && (perKey.get(index)?.[equal] ?? 1) > maxPerKey ? [{ table, kind: 'key', line }] : []
  })

/** Rows with the same key that may be read for a few of them. */
const maxPerKey = 1_000

export interface PostgresPlan {
  'Node Type': string
  'Relation Name'?: string
  Plans?: PostgresPlan[]
}

export const findPostgresFlaws = ({ 'Node Type': node, 'Relation Name': table, Plans = [] }: PostgresPlan): Flaw[] => [
  ...(node === 'Seq Scan' && table !== undefined
    ? [{ table, kind: 'scan' as const, line: `${node} on ${table}` }]
    : []),
  ...Plans.flatMap(findPostgresFlaws),
]

/** Whether a limit ends the reading, as of a page of a list, or of a batch. */
export function isLimited(statement: string, { kind, table }: Flaw): boolean {
  const page = /^( where "is_deleted" = 0)?( order by (\(case [^()]*\)|[^()])*)? limit /
  return statement
    .split(`from "${table}"`)
    .slice(1)
    .some((rest) => (kind === 'range' ? rest.includes(' limit ') : kind === 'scan' && page.test(rest)))
}
