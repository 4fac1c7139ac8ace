import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { readConfig } from '../src/server/config/config.ts'
import { migrateTo } from '../src/server/storage/db/migrate.ts'
import { openUnmigratedDatabase } from '../src/server/storage/db/open.ts'
import { connect } from '../src/server/storage/db/sqlite/connection.ts'
import { createDb } from '../src/server/storage/db/sqlite/queries.ts'
import { type Db, type Tables, tableNames } from '../src/server/storage/db/tables.ts'
import { createTestStorage, startTestAppOn, type TestApp, type TestStorage } from './app.ts'

/** Uses the database of a summit that is not served, of whichever schema. */
export async function withDb<T>(
  { dataDir, settings: { DATABASE_URL: url } }: TestStorage,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  if (url !== undefined) {
    await using db = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }),
    })
    return await work(db)
  }
  using connection = connect(join(dataDir, 'summit.db'), 'write')
  return await work(createDb(connection))
}

/** Of the files in `DATA_DIR` besides the database, those that every version has had. */
const olderFiles = ['blobs', 'signature.key']

/**
 * A summit as written by the version with these migrations: that of this version, with its rows in the tables and columns
 * that the older one had.
 * @param begin creates its records
 */
export async function createOlderSummit(
  migrations: readonly string[],
  begin: (t: TestApp) => Promise<unknown>,
): Promise<TestStorage> {
  await using newer = await createTestStorage()
  {
    await using t = await startTestAppOn(newer)
    await begin(t)
  }
  const older = await createTestStorage({ isMigrated: false })
  for (const name of await readdir(newer.dataDir))
    if (olderFiles.includes(name)) await cp(join(newer.dataDir, name), join(older.dataDir, name), { recursive: true })
  await withDb(newer, (from) =>
    withDb(older, async (to) => {
      await migrateTo(to, migrations)
      await copyRows(from, to)
    }),
  )
  const database = await openUnmigratedDatabase(readConfig(older.settings).config.database)
  await database.afterLoad().finally(() => database.close())
  return older
}

async function copyRows(from: Db, to: Db): Promise<void> {
  const untyped = (db: Db) => db as unknown as Kysely<Record<string, Record<string, unknown>>>
  const existing = await to.introspection.getTables()
  for (const name of tableNames) {
    const columns = existing.find((table) => table.name === name)?.columns.map((column) => column.name)
    if (!columns) continue
    const rows = await untyped(from).selectFrom(name).select(columns).execute()
    if (rows.length > 0) await untyped(to).insertInto(name).values(rows).execute()
  }
}
