import { readdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { createTestStorage, startTestAppOn, type TestApp, type TestStorage } from '../../../test/app.ts'
import { runSummitInProcess } from '../../../test/command.ts'
import { holdWrites } from '../../../test/databases.ts'
import * as make from '../../../test/make.ts'
import { readConfig } from '../config/config.ts'
import { findPendingMigrations } from '../db/migrate.ts'
import { openUnmigratedDatabase } from '../db/open.ts'
import type { Tables } from '../db/tables.ts'

// A start on the database of an older Summit.

/** The migrations that the older version lacks. */
const pending = [
  ...['0004-imports', '0005-credentials', '0006-organizers', '0007-sharing', '0008-audit', '0009-identities'],
  ...['0010-passkeys', '0011-codes', '0014-sign-ins-from-desk'],
]
const [first = ''] = pending

/** Runs statements on the database of a summit, of whichever schema. */
async function run<T>(storage: TestStorage, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
  const database = await openUnmigratedDatabase(readConfig(storage.settings).config.database)
  return database.transaction(work).finally(() => database.close())
}

/** A summit with a topic and a file, as the version before {@link pending} has written it. */
async function olderSummit(): Promise<TestStorage> {
  const storage = await createTestStorage()
  {
    await using t = await startTestAppOn(storage)
    await make.topic(t, { name: 'Written before', uploaded_files: [{ name: 'a.txt', data: 'SGVsbG8=' }] })
  }
  await run(storage, async (db) => {
    for (const table of [
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
    for (const column of ['credential_id', 'hash']) await db.schema.alterTable('change').dropColumn(column).execute()
    await sql`delete from kysely_migration where name in (${sql.join(pending)})`.execute(db)
  })
  return storage
}

const pendingIn = (storage: TestStorage) => run(storage, findPendingMigrations)

/** The tables of a database, as names. */
const tablesIn = (storage: TestStorage) =>
  run(storage, async (db) => (await db.introspection.getTables()).map(({ name }) => name).sort())

const topics = async (t: TestApp) =>
  (await t.client.listTopics({ offset: 0, limit: 10 })).NewsFeed.map(({ content }) => content.header)

const copiesIn = async ({ dataDir }: TestStorage) =>
  (await readdir(dataDir)).filter((name) => name.startsWith('summit-before-')).sort()

const isInFolder = ({ settings }: TestStorage) => settings.DATABASE_URL === undefined

/** Records what a start prints. */
function recordOutput() {
  const spies = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')].map((spy) => spy.mockImplementation(() => {}))
  return {
    text: () => spies.flatMap(({ mock }) => mock.calls.map(([line]) => `${line}\n`)).join(''),
    [Symbol.dispose]: () => {
      for (const spy of spies) spy.mockRestore()
    },
  }
}

test('an older summit in a folder is migrated at start, and the copy beside it can be used instead', async ({
  skip,
}) => {
  await using storage = await olderSummit()
  if (!isInFolder(storage)) skip('the database is not in the folder')
  using output = recordOutput()
  {
    await using t = await startTestAppOn(storage)
    expect(await topics(t)).toEqual(['Written before'])
    await make.topic(t, { name: 'Written since' })
  }
  const copy = join(storage.dataDir, `summit-before-${first}.db`)
  expect(output.text()).toContain(` Its state before the migration is in ${copy}\n`)

  for (const suffix of ['', '-wal', '-shm']) await rm(join(storage.dataDir, `summit.db${suffix}`), { force: true })
  await rename(copy, join(storage.dataDir, 'summit.db'))
  expect(await pendingIn(storage)).toEqual(pending)
  await using t = await startTestAppOn(storage)
  expect(await topics(t)).toEqual(['Written before'])
})

test('the copies before the last two migrations are not removed', async ({ skip }) => {
  await using storage = await olderSummit()
  if (!isInFolder(storage)) skip('the database is not in the folder')
  for (const [day, name] of ['0002-a', '0003-b'].entries()) {
    const file = join(storage.dataDir, `summit-before-${name}.db`)
    await writeFile(file, name)
    await utimes(file, day, day)
  }
  using _ = recordOutput()
  await using __ = await startTestAppOn(storage)
  expect(await copiesIn(storage)).toEqual(['summit-before-0003-b.db', `summit-before-${first}.db`])
})

test('with BACKUP_TO, an older summit is backed up before it is migrated, and can be restored from there', async () => {
  await using storage = await olderSummit()
  const settings = { BACKUP_TO: join(storage.dataDir, 'backups'), BACKUP_EVERY: 'never' }
  {
    using output = recordOutput()
    await using t = await startTestAppOn(storage, settings)
    expect(output.text()).toMatch(/^The verified backup \S+ in \S+ has its state before the migration\.$/m)
    expect(await topics(t)).toEqual(['Written before'])
  }
  expect(await copiesIn(storage)).toEqual([])
  const dataDir = join(storage.dataDir, 'restored')
  expect(await runSummitInProcess(['restore', settings.BACKUP_TO, '--apply'], { DATA_DIR: dataDir })).toMatchObject({
    code: 0,
  })
  await using restored = await startTestAppOn({ ...storage, dataDir, settings: { DATA_DIR: dataDir } })
  expect(await topics(restored)).toEqual(['Written before'])
})

test('a start whose backup fails migrates nothing, and says how to start without one', async () => {
  await using storage = await olderSummit()
  using _ = recordOutput()
  await writeFile(join(storage.dataDir, 'a file'), '')
  const unmounted = join(storage.dataDir, 'unmounted')
  await writeFile(join(storage.dataDir, 'backup-locations'), `${unmounted}\n`)
  for (const [BACKUP_TO, reason] of [
    [join(storage.dataDir, 'a file', 'backups'), 'The folder of the backups cannot be used: '],
    [unmounted, `Backups were stored in ${unmounted} before, and now there are none: `],
  ] as const)
    await expect(startTestAppOn(storage, { BACKUP_TO })).rejects.toThrow(
      `Nothing was migrated, because the backup before it failed. To start without one, unset BACKUP_TO. ${reason}`,
    )
  expect(await pendingIn(storage)).toEqual(pending)
})

test('an older summit on a server is migrated with a warning if BACKUP_TO is not set', async ({ skip }) => {
  await using storage = await olderSummit()
  if (isInFolder(storage)) skip('the database is copied')
  using output = recordOutput()
  await using t = await startTestAppOn(storage)
  expect(output.text()).toMatch(
    /^WARNING: .* migrated without a backup, because BACKUP_TO is not set\. .*set BACKUP_TO/m,
  )
  expect(await topics(t)).toEqual(['Written before'])
})

test('a migration that fails leaves the database as it was, and the start says so', async () => {
  await using storage = await olderSummit()
  using _ = recordOutput()
  // The migration creates `import_run` first.
  await run(storage, (db) => db.schema.createTable('import_record').addColumn('id', 'integer').execute())
  const before = await tablesIn(storage)
  await expect(startTestAppOn(storage)).rejects.toThrow(
    /^The database could not be migrated to this version, and was left as it was\. .*import_record/,
  )
  expect([await tablesIn(storage), await pendingIn(storage)]).toEqual([before, pending])

  await run(storage, (db) => db.schema.dropTable('import_record').execute())
  await using t = await startTestAppOn(storage)
  expect(await topics(t)).toEqual(['Written before'])
})

test('a migration while another process writes fails without changes, and can be repeated', async ({ skip }) => {
  await using storage = await olderSummit()
  if (!isInFolder(storage)) skip('the server lets both write')
  using _ = recordOutput()
  const release = await holdWrites(storage)
  await expect(startTestAppOn(storage)).rejects.toThrow(
    /^The database could not be migrated to this version, and was left as it was\. Another process is writing /,
  )
  await release()
  expect(await pendingIn(storage)).toEqual(pending)
  await using t = await startTestAppOn(storage)
  expect(await topics(t)).toEqual(['Written before'])
})

test('of several servers that start on an older summit, one backs it up and migrates it', async ({ skip }) => {
  await using storage = await olderSummit()
  if (isInFolder(storage)) skip('one server at a time uses a folder')
  using output = recordOutput()
  const BACKUP_TO = join(storage.dataDir, 'backups')
  const starts = Array.from({ length: 3 }, () => startTestAppOn(storage, { BACKUP_TO, BACKUP_EVERY: 'never' }))
  for (const start of starts) {
    await using t = await start
    expect(await topics(t)).toEqual(['Written before'])
  }
  expect(output.text().match(/^The (?:verified backup|database was migrated)/gm)).toEqual([
    'The verified backup',
    'The database was migrated',
  ])
})

test('a command does not migrate an older summit, as an older server may be running on it', async () => {
  await using storage = await olderSummit()
  for (const command of [['export', 'topics'], ['sweep'], ['check']]) {
    const { code, err } = await runSummitInProcess(command, storage.settings)
    expect([code, err]).toEqual([
      1,
      'This database was written by an older Summit. Start this version once to migrate it.\n',
    ])
  }
  expect(await pendingIn(storage)).toEqual(pending)
})

test('an older summit that was moved is not migrated until the move is revoked', async () => {
  await using storage = await olderSummit()
  using _ = recordOutput()
  await run(storage, (db) => db.insertInto('secret').values({ name: 'moved_to', value: '/elsewhere' }).execute())
  await expect(startTestAppOn(storage)).rejects.toThrow(/^This summit was moved to \/elsewhere, /)
  expect([await pendingIn(storage), await copiesIn(storage)]).toEqual([pending, []])
  expect(await runSummitInProcess(['move', '--revoke'], storage.settings)).toMatchObject({ code: 0 })
  using __ = recordOutput()
  await using t = await startTestAppOn(storage)
  expect(await topics(t)).toEqual(['Written before'])
})
