import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Progress } from '../../core/progress.ts'
import { rowsPerInsert } from '../../storage/db/in-chunks.ts'
import type { Database } from '../../storage/db/open.ts'
import { type Db, primaryKeys, type Tables, tableNames } from '../../storage/db/tables.ts'

/** Secrets are not moved. */
export type MovedTable = Exclude<keyof Tables, 'secret'>
export const movedTables = tableNames.filter((table): table is MovedTable => table !== 'secret')

/** Rows that are copied in one transaction. */
const batchSize = 500

type Value = string | number | null
type AnyRow = Record<string, Value>

/** Treats all tables alike: copying uses no column but the key. */
const untyped = (db: Db) => db as unknown as Kysely<Record<string, AnyRow>>

/** The number of rows of a table. */
export async function countRows(db: Db, table: keyof Tables): Promise<number> {
  const row = await untyped(db).selectFrom(table).select(db.fn.countAll<number>().as('rows')).executeTakeFirst()
  return Number(row?.rows)
}

/** Reads all rows in the order of their key, in batches. */
export async function* readBatches(db: Db, table: keyof Tables): AsyncGenerator<AnyRow[]> {
  const key = primaryKeys[table]
  for (let after: Value | undefined; ; ) {
    let query = untyped(db).selectFrom(table).selectAll().orderBy(key).limit(batchSize)
    if (after !== undefined) query = query.where(key, '>', after)
    const rows = await query.execute()
    if (rows.length === 0) return
    yield rows
    after = rows.at(-1)?.[key]
  }
}

/**
 * Makes a table of `to` equal to that of `from`. Leaves equal rows alone, so that an interrupted copy can continue.
 * @param onProgress called with the number of rows processed since the last call
 */
export async function copyTable(
  from: Db,
  to: Database,
  table: MovedTable,
  onProgress: (rows: number) => void,
): Promise<void> {
  const key = primaryKeys[table]
  let after: Value | undefined
  for await (const rows of readBatches(from, table)) {
    const last = rows.at(-1)?.[key] ?? null
    let range = untyped(to.read).selectFrom(table).selectAll().orderBy(key).where(key, '<=', last)
    if (after !== undefined) range = range.where(key, '>', after)
    const existing = await range.execute()
    if (serializeRows(rows) !== serializeRows(existing))
      await to.transaction((tx) => replace(untyped(tx), table, existing, rows))
    after = last
    onProgress(rows.length)
  }
  await to.transaction(async (tx) => {
    const rest = untyped(tx).deleteFrom(table)
    await (after === undefined ? rest : rest.where(key, '>', after)).execute()
  })
}

/** Updates rows in place, because others may refer to them, and deletes only those that no longer exist. */
async function replace(db: Kysely<Record<string, AnyRow>>, table: MovedTable, old: AnyRow[], rows: AnyRow[]) {
  const key = primaryKeys[table]
  const keys = new Set(rows.map((row) => row[key]))
  const deleted = old.flatMap((row) => (keys.has(row[key] ?? null) ? [] : [row[key] ?? null]))
  if (deleted.length > 0) await db.deleteFrom(table).where(key, 'in', deleted).execute()
  const columns = Object.keys(rows[0] ?? {})
  const size = rowsPerInsert(columns.length)
  for (let start = 0; start < rows.length; start += size)
    await db
      .insertInto(table)
      .values(rows.slice(start, start + size))
      .onConflict((conflict) =>
        conflict
          .column(key)
          .doUpdateSet((eb) => Object.fromEntries(columns.map((column) => [column, eb.ref(`excluded.${column}`)]))),
      )
      .execute()
}

/** Identifies the content of a table: tables with equal digests have equal rows. */
export interface TableDigest {
  rows: number
  /** Lower-case hex, over all rows in the order of their key. */
  sha256: string
}

/** The digests of tables by their names. */
export type TableDigests = Partial<Record<MovedTable, TableDigest>>

/** The tables that are moved and that a database has: one of an older version does not have all. */
export async function findMovedTables(db: Db): Promise<MovedTable[]> {
  const existing = new Set((await db.introspection.getTables()).map(({ name }) => name))
  return movedTables.filter((table) => existing.has(table))
}

/** Reads tables completely. */
export async function digestTables(db: Db, tables: readonly MovedTable[], progress: Progress): Promise<TableDigests> {
  let rowCount = 0
  for (const table of tables) rowCount += await countRows(db, table)
  const digests: TableDigests = {}
  await progress('Reading rows', rowCount, async (onProgress) => {
    for (const table of tables) digests[table] = await digestTable(db, table, onProgress)
  })
  return digests
}

/** @param onProgress called with the number of rows processed since the last call */
export async function digestTable(db: Db, table: MovedTable, onProgress: (rows: number) => void): Promise<TableDigest> {
  const hash = createHash('sha256')
  let count = 0
  for await (const rows of readBatches(db, table)) {
    hash.update(serializeRows(rows))
    count += rows.length
    onProgress(rows.length)
  }
  return { rows: count, sha256: hash.digest('hex') }
}

/** Sorts the columns, because their order differs between engines. */
const serializeRows = (rows: AnyRow[]): string =>
  rows.map((row) => `${JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))}\n`).join('')
