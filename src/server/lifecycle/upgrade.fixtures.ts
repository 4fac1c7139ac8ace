import { readdir } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import { vi } from 'vitest'
import { createTestStorage, startTestAppOn, type TestApp, type TestStorage } from '../../../test/app.ts'
import * as make from '../../../test/make.ts'
import { readConfig } from '../config/config.ts'
import { findPendingMigrations, migrationNames } from '../storage/db/migrate.ts'
import { openUnmigratedDatabase } from '../storage/db/open.ts'
import type { Tables } from '../storage/db/tables.ts'

/** The migrations that the older version lacks. */
export const pending = migrationNames.slice(migrationNames.indexOf('0004-imports'))

export const [first = ''] = pending

/** Runs statements on the database of a summit, of whichever schema. */
export async function run<T>(storage: TestStorage, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  const database = await openUnmigratedDatabase(readConfig(storage.settings).config.database)
  return database.transaction(work).finally(() => database.close())
}

/** The columns that `0013-erasures` has indexed, in tables that stay. */
const erasureIndexes = [
  ...['participant', 'topic', 'comment', 'topic_like', 'file', 'event', 'feedback'].flatMap((table) =>
    ['modified_by', 'deleted_by'].map((column) => [table, column]),
  ),
  ['event', 'posted_by'],
  ['topic', 'created_by'],
  ['comment', 'created_by'],
  ['file', 'created_by'],
  ['topic_like', 'participant_id'],
  ['idempotency', 'participant_id'],
]

/**
 * A summit with a topic and a file, as written by the version before the {@link pending} migrations: what these added is
 * removed again. Each new migration has to be undone here.
 */
export async function olderSummit(): Promise<TestStorage> {
  const storage = await createTestStorage()
  {
    await using t = await startTestAppOn(storage)
    await make.topic(t, { name: 'Written before', uploaded_files: [{ name: 'a.txt', data: 'SGVsbG8=' }] })
  }
  await run(storage, async (db) => {
    for (const table of [
      'attempt_count',
      'mention',
      'erasure_step',
      'code',
      'login',
      'passkey_challenge',
      'passkey',
      'organizer_identity',
      'sharing',
      'organizer',
      'credential',
      'import_record',
      'import_run',
    ])
      await db.schema.dropTable(table).execute()
    for (const index of [
      ...['like_of_topic', 'activity_by_date'],
      ...['event_by_banner', 'event_by_photo', 'participant_by_photo'],
    ])
      await db.schema.dropIndex(index).execute()
    for (const [table, column] of erasureIndexes) await db.schema.dropIndex(`${table}_by_${column}`).execute()
    await db.schema.alterTable('idempotency').dropColumn('participant_id').execute()
    for (const column of ['credential_id', 'hash']) await db.schema.alterTable('change').dropColumn(column).execute()
    await sql`delete from kysely_migration where name in (${sql.join(pending)})`.execute(db)
  })
  return storage
}

export const pendingIn = (storage: TestStorage) => run(storage, findPendingMigrations)

export const topics = async (t: TestApp) =>
  (await t.client.listTopics({ offset: 0, limit: 10 })).NewsFeed.map(({ content }) => content.header)

export const copiesIn = async ({ dataDir }: TestStorage) =>
  (await readdir(dataDir)).filter((name) => name.startsWith('summit-before-')).sort()

export const isInFolder = ({ settings }: TestStorage) => settings.DATABASE_URL === undefined

/** Records what a start prints. */
export function recordOutput() {
  const spies = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')].map((spy) => spy.mockImplementation(() => {}))
  return {
    text: () => spies.flatMap(({ mock }) => mock.calls.map(([line]) => `${line}\n`)).join(''),
    [Symbol.dispose]: () => {
      for (const spy of spies) spy.mockRestore()
    },
  }
}
