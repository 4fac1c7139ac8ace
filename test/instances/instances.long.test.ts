import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { readConfig } from '../../src/server/config/config.ts'
import { createContext } from '../../src/server/lifecycle/start/create-context.ts'
import { openDatabase } from '../../src/server/storage/db/open.ts'
import { createTestStorage, requestLimit, startTestApp, startTestAppOn } from '../app.ts'
import { countWaitingWriters, holdWrites } from '../databases.ts'
import * as make from '../make.ts'
import { waitUntil } from '../wait-until.ts'
import { expectLogInOrder, expectReadYourWrites, instanceCount, lunch, setUpFourInstances } from './four-instances.ts'

const instances = setUpFourInstances()

const waitForAllWriters = () =>
  waitUntil(
    'all instances wait for the write lock',
    async () => (await countWaitingWriters(instances().storage)) === instanceCount,
  )

test('four instances that start together migrate a new database once, and initialize the summit once', async () => {
  const { storage, servers } = instances()
  expect(servers.map(({ stderr }) => stderr())).toEqual(['', '', '', ''])
  await using t = await startTestAppOn(storage)
  expect(
    await t.ctx.database.read.selectFrom('change').select('kind').where('kind', 'like', 'summit.%').execute(),
  ).toEqual([{ kind: 'summit.created' }])
  const migrations = t.ctx.database.read.withTables<{ kysely_migration: { name: string } }>()
  const names = (await migrations.selectFrom('kysely_migration').select('name').execute()).map(({ name }) => name)
  expect([names.length > 0, new Set(names).size]).toEqual([true, names.length])
})

/** Adds a participant, which no request can do. */
async function addParticipant(): Promise<number> {
  await using t = await startTestAppOn(instances().storage)
  return make.participant(t)
}

const refusal = / has the blobs\/ of a summit, but there is no summit in the database /

test('an instance whose data folder belongs to another database does not start', async () => {
  await using other = await createTestStorage({ isMigrated: false })
  const { storage } = instances()
  const mistaken = { ...storage, settings: { ...other.settings, DATA_DIR: storage.dataDir } }
  await expect(startTestAppOn(mistaken)).rejects.toThrow(
    new RegExp(`${refusal.source}.* see npm run summit -- move --help\\. `),
  )
})

test('nor does it start if that database has only tables, as after an interrupted move', async () => {
  await using other = await createTestStorage({ isMigrated: false })
  const { DATABASE_URL: url = '' } = other.settings
  await (await openDatabase({ kind: 'server', url }, () => {})).close()
  const { storage } = instances()
  const mistaken = { ...storage, settings: { ...other.settings, DATA_DIR: storage.dataDir } }
  await expect(startTestAppOn(mistaken)).rejects.toThrow(refusal)
})

test('a summit whose first start failed before its first write starts again with its SIGNATURE_KEY', async () => {
  await using other = await createTestStorage({ isMigrated: false })
  const settings = { ...other.settings, SIGNATURE_KEY: 'ab'.repeat(32), BEGIN_WITH: 'empty' }
  const { config } = readConfig(settings)
  const blobs = join(other.dataDir, 'blobs')
  await writeFile(blobs, '')
  await expect(createContext(config)).rejects.toThrow()
  await rm(blobs)
  await mkdir(join(blobs, 'kept'), { recursive: true })
  await using t = await startTestAppOn(other, { SIGNATURE_KEY: 'ab'.repeat(32) })
  expect((await t.client.listTopics({ offset: 0, limit: 1 })).NewsFeed).toEqual([])
})

test('all instances sign with the same key', async () => {
  const keys = []
  for (let n = 0; n < 2; n++) {
    await using t = await startTestAppOn(instances().storage)
    keys.push(t.ctx.signatureKey.toHex())
  }
  expect(keys[0]).toMatch(/^[0-9a-f]{64}$/)
  expect(keys[1]).toBe(keys[0])
})

test('a write that one instance has acknowledged is replayed by another, which refuses its idempotency key for another request', async () => {
  const key = { idempotencyKey: 'across' }
  const { client } = instances()
  const original = await client(0).call('createTopic', lunch, key)
  const repeated = await client(1).call('createTopic', lunch, key)
  expect(repeated.headers.get('idempotency-replayed')).toBe('true')
  expect(repeated.envelope.data).toEqual(original.envelope.data)
  expect(await make.codeOf(client(1).call('createTopic', { ...lunch, name: 'Dinner' }, key))).toBe(4221)
})

test('an idempotency key that reaches all instances at once is one write, and one file', async () => {
  const { storage, client, clients } = instances()
  const countTopics = async () => (await client(0).listTopics({ offset: 0, limit: 1_000 })).NewsFeed.length
  const before = await countTopics()
  const release = await holdWrites(storage)
  const sent = clients().map((client) =>
    client.call('createTopic', lunch, {
      idempotencyKey: 'at-once',
      files: [new File(['the same bytes'], 'notes.txt')],
    }),
  )
  await waitForAllWriters()
  await release()
  const responses = await Promise.all(sent)
  expect(responses.map(({ envelope }) => envelope.response_code)).toEqual([1000, 1000, 1000, 1000])
  expect(responses.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1)
  const bodies = responses.map(({ envelope }) => JSON.stringify(envelope.data).replace(/127\.0\.0\.1:\d+/g, ''))
  expect(new Set(bodies).size).toBe(1)
  expect(await countTopics()).toBe(before + 1)
  expect(await make.blobs(storage)).toHaveLength(1)
})

test('a like that reaches all instances at once is one like, though its response is too long to store', async () => {
  const { storage, client, clients } = instances()
  const { NewsFeed } = await client(0).createTopic({ ...lunch, body: 'x'.repeat(5_000) })
  const topic_id = Number(make.only(NewsFeed).id)
  const request = { topic_id, created_by: await addParticipant() }
  const release = await holdWrites(storage)
  const sent = clients().map((client) => client.call('likeTopic', request, { idempotencyKey: 'liked' }))
  await waitForAllWriters()
  await release()
  const responses = await Promise.all(sent)
  expect(responses.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1)
  const liked = await client(0).getTopic({ topic_id })
  expect(responses.map(({ envelope }) => envelope.data)).toEqual(responses.map(() => liked))
})

test('each instance lists a topic as soon as another has acknowledged it, for 15 topics of each', () =>
  expectReadYourWrites(instances(), 15))

test('a reader of the change log misses none of 80 rows that four instances write', () =>
  expectLogInOrder(instances(), 20))

test('likes, deletes and comments that race leave one like, one delete and no comment without a topic', async () => {
  const { client, clients } = instances()
  const created_by = await addParticipant()
  for (let n = 0; n < 10; n++) {
    const topic_id = Number(make.only((await client(0).createTopic(lunch)).NewsFeed).id)
    const liked = await Promise.all(
      clients().map((client) => make.codeOf(client.call('likeTopic', { topic_id, created_by }))),
    )
    expect(liked).toEqual([1000, 1000, 1000, 1000])
    expect(make.only((await client(1).getTopic({ topic_id })).NewsFeed).likes).toHaveLength(1)

    const [oneDelete, otherDelete, comment] = await Promise.all([
      make.codeOf(client(0).call('deleteTopic', { topic_id })),
      make.codeOf(client(1).call('deleteTopic', { topic_id })),
      make.codeOf(client(2).call('createComment', { topic_id, comment: 'x', created_by: 1 })),
    ])
    expect([oneDelete, otherDelete].sort()).toEqual([2000, 4040])
    expect([1000, 4040]).toContain(comment)
  }
})

test('a write that waits too long for another process gets UNAVAILABLE', async () => {
  await using t = await startTestApp({}, requestLimit)
  const release = await holdWrites(t)
  const { envelope, headers } = await createClient(t.url).call('createTopic', lunch)
  expect(envelope).toMatchObject({ response_code: 5030, data: { reason: 'UNAVAILABLE' } })
  expect(headers.get('retry-after')).toBe('1')
  await release()
  expect(await make.codeOf(t.client.call('createTopic', lunch))).toBe(1000)
})
