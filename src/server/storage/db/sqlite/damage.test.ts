import { rmSync } from 'node:fs'
import { copyFile, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestStorage, startTestApp, startTestAppOn, type TestApp } from '../../../../../test/app.ts'
import * as make from '../../../../../test/make.ts'
import { startRecordedServer } from '../../../lifecycle/recorded-server.fixtures.ts'
import { createStorageWithTopic, listTopics, overwritePages } from './damage.fixtures.ts'

const readiness = async ({ url }: { url: string }) => (await fetch(`${url}/readyz`)).status
const create = (t: Pick<TestApp, 'client'>, name = 'After') =>
  make.codeOf(t.client.call('createTopic', { name, created_by: 1 }))

test('a database with overwritten pages is not ready until a restart, even if it can be read again', async () => {
  await using storage = await createStorageWithTopic()
  {
    await using t = await startTestAppOn(storage)
    expect(await readiness(t)).toBe(200)
    const restore = await overwritePages(join(storage.dataDir, 'summit.db'))
    expect(await listTopics(t)).toBe(5000)
    await restore()
    expect(await make.codeOf(t.client.call('listEvents', { offset: 0, limit: 1 }))).toBe(1000)
    expect(await readiness(t)).toBe(503)
    expect(await create(t)).toBe(5000)
  }
  await using t = await startTestAppOn(storage)
  expect([await readiness(t), await listTopics(t), await create(t)]).toEqual([200, 1000, 1000])
})

test('damage is logged once, with the file and the remedy, regardless of how many requests encounter it', async () => {
  await using storage = await createStorageWithTopic()
  const file = join(storage.dataDir, 'summit.db')
  await using server = await startRecordedServer({ ...storage.settings, LOG_LEVEL: 'error' })
  await overwritePages(file)
  for (const _ of Array(5)) expect(await listTopics(server)).toBe(5000)
  expect([await create(server), await readiness(server)]).toEqual([5000, 503])

  expect(await server.close()).toMatchObject([
    { level: 50, msg: expect.stringMatching(new RegExp(`^${file} is damaged: .*malformed.* restore a backup`)) },
  ])
})

const files = ['summit.db', 'summit.db-wal', 'summit.db-shm']

test.each(files)('no write is acknowledged once %s has been removed', async (name) => {
  await using t = await startTestApp()
  await make.topic(t)
  await rm(join(t.dataDir, name))
  // The first write may still be found if the file comes back, so its outcome is unknown.
  expect([await create(t), await create(t)]).toEqual([5031, 5000])
  expect(await listTopics(t)).toBe(1000)
  expect(await readiness(t)).toBe(503)
})

test.each(files)('no write is acknowledged once %s has been replaced by another file', async (name) => {
  await using t = await startTestApp()
  await make.topic(t)
  const file = join(t.dataDir, name)
  await copyFile(file, `${file}.copy`)
  await rename(`${file}.copy`, file)
  expect(await readiness(t)).toBe(503)
  expect(await create(t)).toBe(5000)
})

test('a database file moved away and back accepts writes after a restart, and has every acknowledged one', async () => {
  await using storage = await createTestStorage()
  {
    await using t = await startTestAppOn(storage)
    expect(await create(t, 'acknowledged')).toBe(1000)
    const file = join(t.dataDir, 'summit.db')
    await rename(file, `${file}.away`)
    expect(await readiness(t)).toBe(503)
    expect(await create(t, 'rejected')).toBe(5000)
    await rename(`${file}.away`, file)
    expect([await create(t, 'rejected'), await readiness(t)]).toEqual([5000, 503])
  }
  await using t = await startTestAppOn(storage)
  const { NewsFeed } = await t.client.listTopics({ offset: 0, limit: 10 })
  expect(NewsFeed.map(({ content }) => content.header)).toEqual(['acknowledged'])
})

test('no write is acknowledged once the path of the folder leads nowhere', async () => {
  await using t = await startTestApp()
  await make.topic(t)
  await rename(t.dataDir, `${t.dataDir}.away`)
  // A link to itself, so that even `stat` of a file fails.
  await symlink(t.dataDir, t.dataDir)
  const codes = [await create(t), await create(t), await readiness(t)]
  await rm(t.dataDir)
  await rename(`${t.dataDir}.away`, t.dataDir)
  expect(codes).toEqual([5031, 5000, 503])
})

test('a write during which the database file is removed has an unknown outcome', async () => {
  await using t = await startTestApp()
  const write = t.ctx.database.transaction(async (tx) => {
    await tx.insertInto('topic').values({ header: 'x', created_at: 1 }).execute()
    rmSync(join(t.dataDir, 'summit.db'))
  })
  await expect(write).rejects.toMatchObject({ reason: 'OUTCOME_UNKNOWN' })
})
