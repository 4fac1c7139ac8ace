import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { writeLock } from '../src/server/db/postgres/writer.ts'
import type { TestPlace } from './app.ts'
import { providedPostgres } from './postgres/provided.ts'

/** An empty database on the server that the tests share. */
export interface TestDatabase {
  url: string
  /** Empties it, for the next test. */
  giveBack(): Promise<void>
}

/** Those that are empty and nobody uses; emptying one takes a tenth of the time that making one does. */
const free: TestDatabase[] = []
let made = 0

/** @returns undefined where the tests run on a database in a folder */
export async function takeDatabase(): Promise<TestDatabase | undefined> {
  const { server } = (await providedPostgres()) ?? {}
  if (!server) return undefined
  return free.pop() ?? makeDatabase(server.url, 'template')
}

/** As {@link takeDatabase}, but not even migrated. */
export async function newDatabase(): Promise<TestDatabase | undefined> {
  const { server } = (await providedPostgres()) ?? {}
  if (!server) return undefined
  return makeDatabase(server.url, 'template0')
}

async function makeDatabase(server: string, template: string): Promise<TestDatabase> {
  made++
  const name = `test_${process.pid}_${process.env.VITEST_POOL_ID}_${made}_${performance.now().toFixed(0)}`
  await using admin = await connected(server)
  await admin.query(`create database ${name} template ${template} strategy file_copy`)
  const url = new URL(server)
  url.pathname = name
  const client = await connected(url.href)
  const database: TestDatabase = {
    url: url.href,
    giveBack: async () => {
      // A test that took something out of the database leaves it to the end of all tests.
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
  // The server ends before the tests' processes do.
  client.on('error', () => {})
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

/** Children before their parents. */
const tables = [
  ...[
    'import_record',
    'import_run',
    'idempotency',
    'change',
    'feedback',
    'activity',
    'event',
    'file',
    'topic_like',
    'comment',
    'topic',
    'topic_block',
  ],
  'participant',
]
const numbered = tables.filter((table) => table !== 'idempotency' && table !== 'topic_block')
const unmarkMoved = `delete from secret where name = 'moved_to'`
const deleteAll = [
  ...tables.map((table) => `delete from ${table}`),
  unmarkMoved,
  ...numbered.map((table) => `select setval('${table}_id_seq', 1, false)`),
].join(';')

/** Takes ten times as long for a few rows, but no longer for many, and leaves no dead ones in the next test's way. */
const truncateAll = `truncate ${tables.join()} restart identity; ${unmarkMoved}`
const isLarge = `select max(pg_table_size(relid)) > 500000 as large from pg_stat_user_tables`

async function empty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ large: boolean }>(isLarge)
  await client.query(rows[0]?.large ? truncateAll : deleteAll)
}

/** Keeps every write waiting, as another process that is writing does. @returns the function that lets them go on */
export async function holdWrites({
  dataDir,
  settings,
}: Omit<TestPlace, keyof AsyncDisposable>): Promise<() => Promise<void>> {
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
