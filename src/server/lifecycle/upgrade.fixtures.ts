import { readdir } from 'node:fs/promises'
import type { Kysely } from 'kysely'
import { vi } from 'vitest'
import { createTestStorage, type TestApp, type TestStorage } from '../../../test/app.ts'
import * as make from '../../../test/make.ts'
import { createOlderSummit, withDb } from '../../../test/older-summit.ts'
import { readConfig } from '../config/config.ts'
import { findPendingMigrations, migrateTo, migrationNames } from '../storage/db/migrate.ts'
import { openUnmigratedDatabase } from '../storage/db/open.ts'
import type { Tables } from '../storage/db/tables.ts'
import older from './older-program.fixture.json' with { type: 'json' }

/** The migrations that the older version lacks. */
export const pending = migrationNames.slice(migrationNames.indexOf('0004-imports'))

export const [first = ''] = pending

/** Runs statements on the database of a summit, of whichever schema. */
export async function run<T>(storage: TestStorage, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  const database = await openUnmigratedDatabase(readConfig(storage.settings).config.database)
  return database.transaction(work).finally(() => database.close())
}

/** A summit with a topic and a file, as written by the version before the {@link pending} migrations. */
export const olderSummit = (): Promise<TestStorage> =>
  createOlderSummit(
    migrationNames.filter((name) => !pending.includes(name)),
    (t) => make.topic(t, { name: 'Written before', uploaded_files: [{ name: 'a.txt', data: 'SGVsbG8=' }] }),
  )

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

/** A summit with a program from before rooms and speakers were records, in the schema of its time. */
export async function olderProgram(): Promise<TestStorage> {
  const storage = await createTestStorage({ isMigrated: false })
  await withDb(storage, async (db) => {
    await migrateTo(db, migrationNames.slice(0, migrationNames.indexOf('0017-program')))
    await db.insertInto('change').values({ at: 1, kind: 'summit.created', record_id: 0 }).execute()
    for (const [table, rows] of Object.entries(older.rows))
      await db
        .insertInto(table as 'event')
        .values(rows as never)
        .execute()
  })
  const database = await openUnmigratedDatabase(readConfig(storage.settings).config.database)
  await database.afterLoad().finally(() => database.close())
  return storage
}
