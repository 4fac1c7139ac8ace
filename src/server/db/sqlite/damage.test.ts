import { rmSync } from 'node:fs'
import { copyFile, open, readFile, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type TestApp, type TestPlace, testApp, testAppIn, testPlace } from '../../../../test/app.ts'
import { startServer } from '../../../../test/faults/server-process.ts'
import * as make from '../../../../test/make.ts'
import { startRecordedServer } from '../../lifecycle/recorded-server.fixtures.ts'

const pageSize = 4_096

/** A summit with a topic, whose server has stopped, so that everything is in the database file. */
async function placeWithTopic(): Promise<TestPlace> {
  const place = await testPlace()
  await using t = await testAppIn(place)
  await make.topic(t, { name: 'Before' })
  return place
}

/**
 * Overwrites every page but the first, which a server that has just started has read.
 * @returns a function that restores them
 */
async function overwritePages(file: string): Promise<() => Promise<void>> {
  const intact = await readFile(file)
  const write = async (bytes: Buffer) => {
    await using handle = await open(file, 'r+')
    await handle.write(bytes, pageSize, bytes.length - pageSize, pageSize)
  }
  await write(Buffer.alloc(intact.length, 0xa5))
  return () => write(intact)
}

const readiness = async ({ url }: { url: string }) => (await fetch(`${url}/readyz`)).status
const list = (t: Pick<TestApp, 'client'>) => make.codeOf(t.client.call('listTopics', { offset: 0, limit: 1 }))
const create = (t: Pick<TestApp, 'client'>, name = 'After') =>
  make.codeOf(t.client.call('createTopic', { name, created_by: 1 }))

test('a database with overwritten pages is not ready until a restart, even if it can be read again', async () => {
  await using place = await placeWithTopic()
  {
    await using t = await testAppIn(place)
    expect(await readiness(t)).toBe(200)
    const restore = await overwritePages(join(place.dataDir, 'summit.db'))
    expect(await list(t)).toBe(5000)
    await restore()
    expect(await make.codeOf(t.client.call('listEvents', { offset: 0, limit: 1 }))).toBe(1000)
    expect(await readiness(t)).toBe(503)
    expect(await create(t)).toBe(5000)
  }
  await using t = await testAppIn(place)
  expect([await readiness(t), await list(t), await create(t)]).toEqual([200, 1000, 1000])
})

test('damage is logged once, with the file and the remedy, regardless of how many requests encounter it', async () => {
  await using place = await placeWithTopic()
  const file = join(place.dataDir, 'summit.db')
  await using server = await startRecordedServer({ ...place.settings, LOG_LEVEL: 'error' })
  await overwritePages(file)
  for (const _ of Array(5)) expect(await list(server)).toBe(5000)
  expect([await create(server), await readiness(server)]).toEqual([5000, 503])

  expect(await server.close()).toMatchObject([
    { level: 50, msg: expect.stringMatching(new RegExp(`^${file} is damaged: .*malformed.* restore a backup`)) },
  ])
})

test('no worker is ready once one of them has found damage', async () => {
  await using place = await placeWithTopic()
  await using server = await startServer(place.dataDir, { WORKERS: '2' })
  const restore = await overwritePages(join(place.dataDir, 'summit.db'))
  expect(await list(server)).toBe(5000)
  await restore()
  const probe = () => fetch(`${server.url}/readyz`, { headers: { connection: 'close' } })
  const all = async () => (await Promise.all(Array.from({ length: 16 }, probe))).map(({ status }) => status)
  await expect.poll(all).toEqual(Array(16).fill(503))
})

const files = ['summit.db', 'summit.db-wal', 'summit.db-shm']

test.each(files)('no write is acknowledged once %s has been removed', async (name) => {
  await using t = await testApp()
  await make.topic(t)
  await rm(join(t.dataDir, name))
  // The first write may still be found if the file comes back, so its outcome is unknown.
  expect([await create(t), await create(t)]).toEqual([5031, 5000])
  expect(await list(t)).toBe(1000)
  expect(await readiness(t)).toBe(503)
})

test.each(files)('no write is acknowledged once %s has been replaced by another file', async (name) => {
  await using t = await testApp()
  await make.topic(t)
  const file = join(t.dataDir, name)
  await copyFile(file, `${file}.copy`)
  await rename(`${file}.copy`, file)
  expect(await readiness(t)).toBe(503)
  expect(await create(t)).toBe(5000)
})

test('a database file moved away and back accepts writes after a restart, and has every acknowledged one', async () => {
  await using place = await testPlace()
  {
    await using t = await testAppIn(place)
    expect(await create(t, 'acknowledged')).toBe(1000)
    const file = join(t.dataDir, 'summit.db')
    await rename(file, `${file}.away`)
    expect(await readiness(t)).toBe(503)
    expect(await create(t, 'rejected')).toBe(5000)
    await rename(`${file}.away`, file)
    expect([await create(t, 'rejected'), await readiness(t)]).toEqual([5000, 503])
  }
  await using t = await testAppIn(place)
  const { NewsFeed } = await t.client.listTopics({ offset: 0, limit: 10 })
  expect(NewsFeed.map(({ content }) => content.header)).toEqual(['acknowledged'])
})

test('no write is acknowledged once the path of the folder leads nowhere', async () => {
  await using t = await testApp()
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
  await using t = await testApp()
  const write = t.ctx.database.transaction(async (tx) => {
    await tx.insertInto('topic').values({ header: 'x', created_at: 1 }).execute()
    rmSync(join(t.dataDir, 'summit.db'))
  })
  await expect(write).rejects.toMatchObject({ reason: 'OUTCOME_UNKNOWN' })
})
