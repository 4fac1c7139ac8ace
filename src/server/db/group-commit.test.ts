import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startOfTest, testApp } from '../../../test/app.ts'
import { Failure } from '../failure.ts'
import type { TopicId } from '../ids.ts'
import { type Database, openDatabase } from './open.ts'
import type { Db } from './tables.ts'

interface TestDatabase extends AsyncDisposable {
  database: Database
  file: string
}

function failOnSyncError(error: unknown): never {
  throw error
}

/** The real database by itself, in a folder that is gone when the test ends. */
async function testDatabase(): Promise<TestDatabase> {
  const dir = await mkdtemp(join(tmpdir(), 'summit-test-'))
  const database = await openDatabase({ kind: 'folder', dir }, failOnSyncError)
  return {
    database,
    file: join(dir, 'summit.db'),
    [Symbol.asyncDispose]: async () => {
      await database.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

const insert = async (tx: Db, header: string): Promise<TopicId> =>
  (await tx.insertInto('topic').values({ header, created_at: startOfTest }).returning('id').executeTakeFirstOrThrow())
    .id

const headers = async ({ read }: Database): Promise<string[]> =>
  (await read.selectFrom('topic').select('header').orderBy('id').execute()).map(({ header }) => header)

/**
 * How many transactions the log holds: the last frame of each says how large the database is then, the others 0
 * (https://www.sqlite.org/fileformat.html#the_write_ahead_log).
 */
async function commitsIn(file: string): Promise<number> {
  const log = await readFile(`${file}-wal`)
  const pageSize = log.readUInt32BE(8)
  let commits = 0
  for (let frame = 32; frame + 24 <= log.length; frame += 24 + pageSize) if (log.readUInt32BE(frame + 4) > 0) commits++
  return commits
}

test('200 writes at once share a commit or two, and each is there', async () => {
  await using t = await testDatabase()
  const before = await commitsIn(t.file)
  const names = Array.from({ length: 200 }, (_, n) => `topic ${n}`)

  const ids = await Promise.all(names.map((name) => t.database.transaction((tx) => insert(tx, name))))

  expect((await commitsIn(t.file)) - before).toBeLessThanOrEqual(2)
  expect(new Set(ids).size).toBe(200)
  const rows = await t.database.read.selectFrom('topic').select(['id', 'header']).execute()
  expect(new Map(rows.map(({ id, header }) => [id, header]))).toEqual(new Map(ids.map((id, n) => [id, names[n]])))
})

test('writes one after the other have a commit each, as each is durable before the next', async () => {
  await using t = await testDatabase()
  const before = await commitsIn(t.file)
  for (const name of ['one', 'two', 'three']) await t.database.transaction((tx) => insert(tx, name))
  expect((await commitsIn(t.file)) - before).toBe(3)
})

test('what is acknowledged can be read at once, by anybody', async () => {
  await using t = await testDatabase()
  using other = new DatabaseSync(t.file, { readOnly: true })
  const missing: string[] = []
  await Promise.all(
    Array.from({ length: 100 }, async (_, n) => {
      await t.database.transaction((tx) => insert(tx, `topic ${n}`))
      if (!other.prepare('select 1 from topic where header = ?').get(`topic ${n}`)) missing.push(`topic ${n}`)
    }),
  )
  expect(missing).toEqual([])
})

test('a write sees what those before it in the same commit wrote, and nobody else does yet', async () => {
  await using t = await testDatabase()
  const first = t.database.transaction((tx) => insert(tx, 'one'))
  const second = t.database.transaction(async (tx) => ({
    inside: (await tx.selectFrom('topic').selectAll().execute()).length,
    outside: (await headers(t.database)).length,
  }))
  await first
  expect(await second).toEqual({ inside: 1, outside: 0 })
})

test('one write that fails among others rolls back alone', async () => {
  await using t = await testDatabase()
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, (_, n) =>
      t.database.transaction(async (tx) => {
        await insert(tx, `topic ${n}`)
        await insert(tx, `topic ${n} again`)
        if (n === 20) throw new Error('changed its mind')
        // A comment on a topic that is not there: the engine itself refuses it.
        if (n === 30)
          await tx
            .insertInto('comment')
            .values({ topic_id: 9_999 as TopicId, comment: 'x', created_at: 1 })
            .execute()
      }),
    ),
  )
  const failed = results.flatMap((result, n) => (result.status === 'rejected' ? [[n, String(result.reason)]] : []))
  expect(failed).toEqual([
    [20, 'Error: changed its mind'],
    [30, expect.stringContaining('FOREIGN KEY')],
  ])
  const kept = Array.from({ length: 50 }, (_, n) => n).filter((n) => n !== 20 && n !== 30)
  expect(await headers(t.database)).toEqual(kept.flatMap((n) => [`topic ${n}`, `topic ${n} again`]))
})

test('a write that throws after it has inserted leaves nothing, and the next one goes on', async () => {
  await using t = await testDatabase()
  const cut = t.database.transaction(async (tx) => {
    await insert(tx, 'gone')
    throw new Failure('CONFLICT')
  })
  await expect(cut).rejects.toMatchObject({ reason: 'CONFLICT' })
  await t.database.transaction((tx) => insert(tx, 'stays'))
  expect(await headers(t.database)).toEqual(['stays'])
})

test('a write that throws before it asks for anything is refused like any other', async () => {
  await using t = await testDatabase()
  const thrown = t.database.transaction(() => {
    throw new Error('at once')
  })
  const other = t.database.transaction((tx) => insert(tx, 'stays'))
  await expect(thrown).rejects.toThrow('at once')
  await other
  expect(await headers(t.database)).toEqual(['stays'])
})

test('1,000 writes may wait; one more is refused at once, and those that wait are done', async () => {
  await using t = await testDatabase()
  const waiting = Array.from({ length: 1_000 }, (_, n) => t.database.transaction((tx) => insert(tx, `topic ${n}`)))
  await expect(t.database.transaction((tx) => insert(tx, 'too many'))).rejects.toMatchObject({ reason: 'UNAVAILABLE' })
  await Promise.all(waiting)
  await t.database.transaction((tx) => insert(tx, 'later'))
  const kept = await headers(t.database)
  expect([kept.length, kept.includes('too many'), kept.at(-1)]).toEqual([1_001, false, 'later'])
})

test('another process that holds the write lock only delays, and stops nobody from reading', async () => {
  await using t = await testDatabase()
  await t.database.transaction((tx) => insert(tx, 'before'))
  using other = new DatabaseSync(t.file)
  other.exec('begin immediate')
  other.exec(`insert into topic (header, created_at) values ('theirs', 1)`)
  let isDone = false
  const ours = Promise.all(['one', 'two'].map((name) => t.database.transaction((tx) => insert(tx, name)))).then(() => {
    isDone = true
  })
  await sleep(100)
  expect(isDone).toBe(false)
  expect(await headers(t.database)).toEqual(['before'])
  other.exec('commit')
  await ours
  expect(await headers(t.database)).toEqual(['before', 'theirs', 'one', 'two'])
})

// The one test that waits in earnest: the patience is five seconds.
test('whoever holds the lock for too long makes the writes that wait fail as unavailable, and only those', async () => {
  await using t = await testApp()
  using other = new DatabaseSync(join(t.dataDir, 'summit.db'))
  other.exec('begin immediate')
  const { envelope, headers } = await t.client.call('createTopic', { name: 'Lunch', created_by: 1 })
  expect(envelope).toMatchObject({ response_code: 5030, data: { reason: 'UNAVAILABLE' } })
  expect(headers.get('retry-after')).toBe('1')
  other.exec('rollback')
  await t.client.createTopic({ name: 'Dinner', created_by: 1 })
  const { NewsFeed } = await t.client.listTopics({ offset: 0, limit: 10 })
  expect(NewsFeed.map(({ content }) => content.header)).toEqual(['Dinner'])
})

test('closing waits for the writes under way', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'summit-test-'))
  const database = await openDatabase({ kind: 'folder', dir }, failOnSyncError)
  const writes = Array.from({ length: 300 }, (_, n) => database.transaction((tx) => insert(tx, `topic ${n}`)))
  await database.close()
  await Promise.all(writes)
  using after = new DatabaseSync(join(dir, 'summit.db'), { readOnly: true })
  expect(after.prepare('select count(*) as n from topic').get()).toEqual({ n: 300 })
  await rm(dir, { recursive: true, force: true })
})

test('200 clients who post at once are all answered, each with its own topic', async () => {
  await using t = await testApp()
  const names = Array.from({ length: 200 }, (_, n) => `topic ${n}`)
  const answers = await Promise.all(names.map((name) => t.client.createTopic({ name, created_by: 1 })))
  expect(answers.map(({ NewsFeed }) => NewsFeed[0]?.content.header)).toEqual(names)
  const { NewsFeed } = await t.client.listTopics({ offset: 0, limit: 1_000 })
  expect(NewsFeed.map(({ content }) => content.header).sort()).toEqual(names.sort())
})
