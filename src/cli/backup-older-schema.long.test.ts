import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestStorage, startTestAppOn, type TestStorage } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'
import { createOlderSummit, withDb } from '../../test/older-summit.ts'
import { createTemporaryFolder } from '../../test/temporary-folder.ts'

// Backups of a database that an older version wrote, and that this version has not opened yet.

const older = ['0001-initial', '0002-secret', '0003-topic-blocks']

/** A summit with these migrations, a participant, and topics with comments. */
const createSummit = (migrations: readonly string[]): Promise<TestStorage> =>
  createOlderSummit(migrations, async (t) => {
    await make.participant(t, { first_name: 'Zoë 🦊' })
    for (const topic_id of [1, 2, 3]) {
      await make.topic(t, { name: `Topic ${topic_id}` })
      await make.comment(t, { topic_id, comment: 'About it' })
    }
  })

const migrationsOf = (storage: TestStorage) =>
  withDb(storage, async (db) => {
    const applied = db.withTables<{ kysely_migration: { name: string } }>().selectFrom('kysely_migration')
    return (await applied.select('name').orderBy('name').execute()).map(({ name }) => name)
  })

test.each([1, 3])('the schema of %i migrations is backed up as it is, and restored to the present one', async (n) => {
  await using folder = await createTemporaryFolder()
  const to = join(folder.path, 'backups')
  await using summit = await createSummit(older.slice(0, n))
  expect(await runSummitInProcess(['backup', to], summit.settings)).toMatchObject({ code: 0, err: '' })
  expect(await migrationsOf(summit)).toEqual(older.slice(0, n))
  expect(await runSummitInProcess(['backup', 'verify', to], summit.settings)).toMatchObject({ code: 0, err: '' })

  await using empty = await createTestStorage({ isMigrated: false })
  expect(await runSummitInProcess(['restore', to, '--apply'], empty.settings)).toMatchObject({ code: 0, err: '' })
  await using t = await startTestAppOn(empty)
  const { NewsFeed } = await t.client.listTopics({ offset: 0, limit: 100 })
  expect(NewsFeed.map(({ content }) => content.header)).toEqual(['Topic 3', 'Topic 2', 'Topic 1'])
  expect((await t.client.listComments({ topic_id: 2, offset: 0, limit: 9 })).comments).toHaveLength(1)
})

test('a restore leaves a summit of an older version in its place alone, without migrating it', async () => {
  await using folder = await createTemporaryFolder()
  const to = join(folder.path, 'backups')
  await using summit = await createSummit(older)
  await runSummitInProcess(['backup', to], summit.settings)
  for (const n of [1, 2, 3]) {
    await using there = await createSummit(older.slice(0, n))
    const { code, err } = await runSummitInProcess(['restore', to, '--apply'], there.settings)
    expect([code, err]).toEqual([1, expect.stringMatching(/^There is already a summit in /)])
    expect(await migrationsOf(there)).toEqual(older.slice(0, n))
  }
})

test('a backup of a newer version is refused, and its place stays empty', async () => {
  await using folder = await createTemporaryFolder()
  const to = join(folder.path, 'backups')
  await using summit = await createSummit(older)
  await runSummitInProcess(['backup', to], summit.settings)
  const path = make.only((await readdir(to, { recursive: true })).filter((name) => name.endsWith('manifest.json')))
  const [, text = ''] = (await readFile(join(to, path), 'utf8')).split('\n')
  const newer = text.replace('"0003-topic-blocks"', '"0003-topic-blocks","9999-rooms"')
  await writeFile(join(to, path), `${createHash('sha256').update(newer).digest('hex')}\n${newer}\n`)
  await using empty = await createTestStorage({ isMigrated: false })
  for (const command of [
    ['restore', to, '--apply'],
    ['restore', to],
    ['backup', 'verify', to],
  ]) {
    const { code, err } = await runSummitInProcess(command, empty.settings)
    expect([code, err]).toEqual([1, expect.stringContaining('a newer Summit (it has the migration 9999-rooms)')])
  }
  expect(await readdir(empty.dataDir)).toEqual(['backup'])
})
