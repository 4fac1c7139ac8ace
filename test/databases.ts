import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { writeLock } from '../src/server/storage/db/postgres/writer.ts'
import { primaryKeys, tableNames } from '../src/server/storage/db/tables.ts'
import type { TestStorage } from './app.ts'
import { waitForPostgres } from './postgres/provided.ts'

/** An empty database on the PostgreSQL server that the tests share. */
export interface TestDatabase {
  url: string
  /** Empties it and makes it available to other tests. */
  release(): Promise<void>
}

/** Empty and unused. Emptying a database takes a tenth of the time of creating one. */
const free: TestDatabase[] = []
let created = 0

/** A migrated database of a summit without records. @returns undefined if the tests run on SQLite */
export async function acquireDatabase(): Promise<TestDatabase | undefined> {
  const { server } = (await waitForPostgres()) ?? {}
  if (!server) return undefined
  return lease(free.pop() ?? (await createDatabase(server.url, 'template')))
}

/** The database of one test. If the test releases it twice, it must not be handed to two others. */
function lease({ url, release }: TestDatabase): TestDatabase {
  let released: Promise<void> | undefined
  return {
    url,
    release: () => {
      released ??= release()
      return released
    },
  }
}

/** A database without tables. @returns undefined if the tests run on SQLite */
export async function createEmptyDatabase(): Promise<TestDatabase | undefined> {
  const { server } = (await waitForPostgres()) ?? {}
  if (!server) return undefined
  return createDatabase(server.url, 'template0')
}

async function createDatabase(server: string, template: string): Promise<TestDatabase> {
  created++
  const name = `test_${process.pid}_${process.env.VITEST_POOL_ID}_${created}_${performance.now().toFixed(0)}`
  await using admin = await connected(server)
  await admin.query(`create database ${name} template ${template} strategy file_copy`)
  const url = new URL(server)
  url.pathname = name
  const client = await connected(url.href)
  const database: TestDatabase = {
    url: url.href,
    release: async () => {
      // If a test has changed the schema, the database is not used again.
      const isWhole = await empty(client).then(
        () => true,
        () => false,
      )
      if (isWhole) free.push(database)
      else await client.end()
    },
  }
  return database
}

async function connected(url: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client(url)
  // The server stops before the test processes do.
  client.on('error', () => {})
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

/** Each before the tables that it references. Secrets stay, except for the notes of a move, an erasure, the clock and a backup. */
const tables = tableNames.filter((table) => table !== 'secret').reverse()
const numbered = tables.filter((table) => primaryKeys[table] === 'id')
const forgetNotes = `delete from secret where name in ('moved_to', 'erase_personal_data', 'seen_clock', 'newest_backup')`

const deleteAll = [
  ...tables.map((table) => `delete from ${table}`),
  forgetNotes,
  ...numbered.map((table) => `select setval('${table}_id_seq', 1, false)`),
].join(';')

/** Ten times slower than `delete` for a few rows, but not slower for many, and leaves no dead rows behind. */
const truncateAll = `truncate ${tables.join()} restart identity; ${forgetNotes}`
const isLarge = `select max(pg_table_size(relid)) > 500000 as large from pg_stat_user_tables`

async function empty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ large: boolean }>(isLarge)
  await client.query(rows[0]?.large ? truncateAll : deleteAll)
}

/** Blocks all writes by holding the write lock, as another process would. @returns the function that releases it */
export async function holdWrites({
  dataDir,
  settings,
}: Omit<TestStorage, keyof AsyncDisposable>): Promise<() => Promise<void>> {
  const { DATABASE_URL: url } = settings
  if (url === undefined) {
    const other = new DatabaseSync(join(dataDir, 'summit.db'))
    other.exec('begin immediate')
    return async () => other.close()
  }
  const other = await connected(url)
  await other.query(`begin; select pg_advisory_xact_lock(${writeLock})`)
  return () => other.end()
}

/** Counts the processes that wait for the write lock of a PostgreSQL database. */
export async function countWaitingWriters({ settings }: Pick<TestStorage, 'settings'>): Promise<number> {
  await using client = await connected(settings.DATABASE_URL ?? '')
  // The halves of the number are columns of their own (https://www.postgresql.org/docs/current/view-pg-locks.html).
  const { rows } = await client.query<{ waiting: number }>(
    `select count(*)::int as waiting from pg_locks
      where locktype = 'advisory' and (classid::bigint << 32 | objid::bigint) = ${writeLock} and not granted
      and database = (select oid from pg_database where datname = current_database())`,
  )
  return rows[0]?.waiting ?? 0
}
