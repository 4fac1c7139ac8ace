import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../db/open.ts'
import type { Db, Tables } from '../db/tables.ts'

/** Every table, those first that others refer to, each with the column that tells its rows apart. */
const keyOf = {
  participant: 'id',
  topic: 'id',
  topic_block: 'block',
  comment: 'id',
  topic_like: 'id',
  file: 'id',
  event: 'id',
  activity: 'id',
  feedback: 'id',
  change: 'id',
  idempotency: 'key',
  secret: 'name',
} as const satisfies Record<keyof Tables, string>

export const allTables = Object.keys(keyOf) as (keyof Tables)[]

/** Secrets stay where they are. */
export type MovedTable = Exclude<keyof Tables, 'secret'>
export const movedTables = allTables.filter((table): table is MovedTable => table !== 'secret')

/** Rows that are copied in one transaction: whatever their columns, fewer values than any engine takes. */
const batch = 500

type Value = string | number | null
type Copied = Record<string, Value>

/** Copying looks at no column but the key, so to it all tables are alike. */
const alike = (db: Db) => db as unknown as Kysely<Record<string, Copied>>

/** How many rows a table has. */
export async function countRows(db: Db, table: keyof Tables): Promise<number> {
  const row = await alike(db).selectFrom(table).select(db.fn.countAll<number>().as('rows')).executeTakeFirst()
  return Number(row?.rows)
}

/** All rows in the order of their key, some at a time. */
export async function* batchesOf(db: Db, table: keyof Tables): AsyncGenerator<Copied[]> {
  const key = keyOf[table]
  for (let after: Value | undefined; ; ) {
    let query = alike(db).selectFrom(table).selectAll().orderBy(key).limit(batch)
    if (after !== undefined) query = query.where(key, '>', after)
    const rows = await query.execute()
    if (rows.length === 0) return
    yield rows
    after = rows.at(-1)?.[key]
  }
}

/**
 * Makes a table of `to` the same as that of `from`. What is the same already is left alone, so that it can be cut off
 * and begun again.
 * @param onProgress told how many rows have been looked at since the last time
 */
export async function copyTable(
  from: Db,
  to: Database,
  table: MovedTable,
  onProgress: (rows: number) => void,
): Promise<void> {
  const key = keyOf[table]
  let after: Value | undefined
  for await (const rows of batchesOf(from, table)) {
    const last = rows.at(-1)?.[key] ?? null
    let range = alike(to.read).selectFrom(table).selectAll().orderBy(key).where(key, '<=', last)
    if (after !== undefined) range = range.where(key, '>', after)
    const there = await range.execute()
    if (textOf(rows) !== textOf(there)) await to.transaction((tx) => replace(alike(tx), table, there, rows))
    after = last
    onProgress(rows.length)
  }
  await to.transaction(async (tx) => {
    const rest = alike(tx).deleteFrom(table)
    await (after === undefined ? rest : rest.where(key, '>', after)).execute()
  })
}

/** Rows keep their place, since others may refer to them; only those go that are there no more. */
async function replace(db: Kysely<Record<string, Copied>>, table: MovedTable, old: Copied[], rows: Copied[]) {
  const key = keyOf[table]
  const kept = new Set(rows.map((row) => row[key]))
  const gone = old.flatMap((row) => (kept.has(row[key] ?? null) ? [] : [row[key] ?? null]))
  if (gone.length > 0) await db.deleteFrom(table).where(key, 'in', gone).execute()
  const columns = Object.keys(rows[0] ?? {})
  await db
    .insertInto(table)
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column(key)
        .doUpdateSet((eb) => Object.fromEntries(columns.map((column) => [column, eb.ref(`excluded.${column}`)]))),
    )
    .execute()
}

/** What is in a table: as many rows with the same hash are the same rows. */
export interface Digest {
  rows: number
  /** Lower-case hex, over all rows in the order of their key. */
  sha256: string
}

/** @param onProgress told how many rows have been looked at since the last time */
export async function digestOf(db: Db, table: MovedTable, onProgress: (rows: number) => void): Promise<Digest> {
  const hash = createHash('sha256')
  let count = 0
  for await (const rows of batchesOf(db, table)) {
    hash.update(textOf(rows))
    count += rows.length
    onProgress(rows.length)
  }
  return { rows: count, sha256: hash.digest('hex') }
}

/** Engines may disagree about the order of columns. */
const textOf = (rows: Copied[]): string =>
  rows.map((row) => `${JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))}\n`).join('')
