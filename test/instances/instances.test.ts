import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { readConfig } from '../../src/server/config/config.ts'
import { createContext } from '../../src/server/context.ts'
import { openDatabase } from '../../src/server/db/open.ts'
import { testApp, testAppIn, testPlace } from '../app.ts'
import { holdWrites } from '../databases.ts'
import { type ReadyServer, startServer } from '../faults/server-process.ts'
import { isLong } from '../long.ts'
import * as make from '../make.ts'

/** Several processes on one database. */
const instances = 4
const times = (few: number, many: number) => (isLong ? many : few)
const servers: ReadyServer[] = []
let place: Awaited<ReturnType<typeof testPlace>>

beforeAll(async () => {
  place = await testPlace({ isMigrated: false })
  const start = async () => servers.push(await startServer(place.dataDir, place.settings))
  await Promise.all(Array.from({ length: instances }, start))
})

afterAll(async () => {
  for (const server of servers) await server.kill('SIGKILL')
  await place[Symbol.asyncDispose]()
})

const [first, second] = [() => clientOf(0), () => clientOf(1)]

function clientOf(index: number) {
  const server = servers[index]
  if (!server) throw new Error('the servers have not started')
  return server.client
}

const lunch = { name: 'Lunch is served', created_by: 1 }

test('four that start together migrate a new database once, and begin the summit once', async () => {
  expect(servers.map(({ stderr }) => stderr())).toEqual(['', '', '', ''])
  await using t = await testAppIn(place)
  expect(await t.ctx.database.read.selectFrom('change').select('kind').execute()).toEqual([{ kind: 'summit.created' }])
  const history = t.ctx.database.read.withTables<{ kysely_migration: { name: string } }>()
  const names = (await history.selectFrom('kysely_migration').select('name').execute()).map(({ name }) => name)
  expect([names.length > 0, new Set(names).size]).toEqual([true, names.length])
})

test('an instance that is given another database begins no summit there, whose start would remove all files', async () => {
  await using other = await testPlace({ isMigrated: false })
  const mistaken = { ...place, settings: { ...other.settings, DATA_DIR: place.dataDir } }
  await expect(testAppIn(mistaken)).rejects.toThrow(
    / has the blobs\/ of a summit, but there is no summit in the database .* see npm run summit -- move --help\. /,
  )
})

test('nor does one begin in a database with no more than its tables, as a move that was cut off leaves it', async () => {
  await using other = await testPlace({ isMigrated: false })
  const { DATABASE_URL: url = '' } = other.settings
  await (await openDatabase({ kind: 'server', url }, () => {})).close()
  const mistaken = { ...place, settings: { ...other.settings, DATA_DIR: place.dataDir } }
  await expect(testAppIn(mistaken)).rejects.toThrow(
    / has the blobs\/ of a summit, but there is no summit in the database /,
  )
})

test('a summit with a key of its own is known again before anything is written', async () => {
  await using other = await testPlace({ isMigrated: false })
  const settings = { ...other.settings, SIGNATURE_KEY: 'ab'.repeat(32), BEGIN_WITH: 'empty' }
  const { config } = readConfig(settings)
  const blobs = join(other.dataDir, 'blobs')
  await writeFile(blobs, '')
  await expect(createContext(config)).rejects.toThrow()
  await rm(blobs)
  await mkdir(join(blobs, 'kept'), { recursive: true })
  await using t = await testAppIn(other, { SIGNATURE_KEY: 'ab'.repeat(32) })
  expect((await t.client.listTopics({ offset: 0, limit: 1 })).NewsFeed).toEqual([])
})

test('all sign alike', async () => {
  const keys = []
  for (let n = 0; n < 2; n++) {
    await using t = await testAppIn(place)
    keys.push(t.ctx.signatureKey.export().toString('hex'))
  }
  expect(keys[0]).toMatch(/^[0-9a-f]{64}$/)
  expect(keys[1]).toBe(keys[0])
})

test('what one has acknowledged is in the next read from any other', async () => {
  const missing: string[] = []
  const write = async (writer: number) => {
    for (let n = 0; n < times(6, 15); n++) {
      const { id } = make.only((await clientOf(writer).createTopic({ name: `${writer} ${n}`, created_by: 1 })).NewsFeed)
      for (const reader of servers.keys()) {
        const { NewsFeed } = await clientOf(reader).listTopics({ offset: 0, limit: 100 })
        if (!NewsFeed.some((topic) => topic.id === id)) missing.push(`${writer} ${n} at ${reader}`)
      }
    }
  }
  await Promise.all([...servers.keys()].map(write))
  expect(missing).toEqual([])
})

test('positions become visible in their order, so that a reader of the log misses none', async () => {
  await using t = await testAppIn(place)
  const { database } = t.ctx
  const { id: since } = await database.position()
  const each = times(10, 20)
  let isWriting = true
  const writing = Promise.all(
    [...servers.keys()].map(async (index) => {
      for (let n = 0; n < each; n++) await clientOf(index).createTopic(lunch)
    }),
  ).finally(() => {
    isWriting = false
  })
  const seen: number[] = []
  for (let at = since; isWriting || at < (await database.position()).id; ) {
    const rows = await database.read.selectFrom('change').select('id').where('id', '>', at).orderBy('id').execute()
    seen.push(...rows.map(({ id }) => id))
    at = rows.at(-1)?.id ?? at
  }
  await writing
  const all = await database.read.selectFrom('change').select('id').where('id', '>', since).orderBy('id').execute()
  expect(seen).toEqual(all.map(({ id }) => id))
  expect(seen.length).toBe(instances * each)
})

test('a key that one has answered is replayed by the other, and refused with another request', async () => {
  const key = { idempotencyKey: 'across' }
  const one = await first().call('createTopic', lunch, key)
  const other = await second().call('createTopic', lunch, key)
  expect(other.headers.get('idempotency-replayed')).toBe('true')
  expect(other.envelope.data).toEqual(one.envelope.data)
  expect(await make.codeOf(second().call('createTopic', { ...lunch, name: 'Dinner' }, key))).toBe(4221)
})

test('a key that reaches all of them at once is one write, and one file', async () => {
  const topics = async () => (await first().listTopics({ offset: 0, limit: 1_000 })).NewsFeed.length
  const before = await topics()
  const release = await holdWrites(place)
  const sent = [...servers.keys()].map((index) =>
    clientOf(index).call('createTopic', lunch, {
      idempotencyKey: 'at-once',
      files: [new File(['the same bytes'], 'notes.txt')],
    }),
  )
  await new Promise((resolve) => setTimeout(resolve, 300))
  await release()
  const answers = await Promise.all(sent)
  expect(answers.map(({ envelope }) => envelope.response_code)).toEqual([1000, 1000, 1000, 1000])
  expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1)
  expect(
    new Set(answers.map(({ envelope }) => JSON.stringify(envelope.data).replace(/127\.0\.0\.1:\d+/g, ''))).size,
  ).toBe(1)
  expect(await topics()).toBe(before + 1)
  expect(await make.blobs(place)).toHaveLength(1)
})

test('a like that reaches all of them at once is one like, though its answer is too long to be kept', async () => {
  const { NewsFeed } = await first().createTopic({ ...lunch, body: 'x'.repeat(5_000) })
  const topic_id = Number(make.only(NewsFeed).id)
  const release = await holdWrites(place)
  const request = { topic_id, created_by: 1 }
  const sent = [...servers.keys()].map((n) => clientOf(n).call('likeTopic', request, { idempotencyKey: 'liked' }))
  await new Promise((resolve) => setTimeout(resolve, 300))
  await release()
  const answers = await Promise.all(sent)
  expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1)
  const liked = await first().getTopic({ topic_id })
  expect(answers.map(({ envelope }) => envelope.data)).toEqual(answers.map(() => liked))
})

test.runIf(isLong)(
  'likes, deletes and comments that race on several leave one like, one delete and no stray comment',
  async () => {
    for (let n = 0; n < 10; n++) {
      const topic_id = Number(make.only((await first().createTopic(lunch)).NewsFeed).id)
      const liked = await Promise.all(
        [...servers.keys()].map((index) => make.codeOf(clientOf(index).call('likeTopic', { topic_id, created_by: 5 }))),
      )
      expect(liked).toEqual([1000, 1000, 1000, 1000])
      expect(make.only((await second().getTopic({ topic_id })).NewsFeed).likes).toHaveLength(1)

      const raced = await Promise.all([
        make.codeOf(clientOf(0).call('deleteTopic', { topic_id })),
        make.codeOf(clientOf(1).call('deleteTopic', { topic_id })),
        make.codeOf(clientOf(2).call('createComment', { topic_id, comment: 'x', created_by: 1 })),
      ])
      expect([raced[0], raced[1]].sort()).toEqual([2000, 4040])
      expect([1000, 4040]).toContain(raced[2])
    }
  },
)

test.runIf(isLong)('a write that waits too long for another process is unavailable, within five seconds', async () => {
  await using t = await testApp()
  const release = await holdWrites(t)
  const started = performance.now()
  const { envelope, headers } = await createClient(t.url).call('createTopic', lunch)
  expect(envelope).toMatchObject({ response_code: 5030, data: { reason: 'UNAVAILABLE' } })
  expect([headers.get('retry-after'), performance.now() - started < 5_000]).toEqual(['1', true])
  await release()
  expect(await make.codeOf(t.client.call('createTopic', lunch))).toBe(1000)
})
