import { stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createTestStorage, startOfTest, startTestApp } from '../../../../test/app.ts'
import { readConfig } from '../../config/config.ts'
import { Failure } from '../../core/failure.ts'
import type { TopicId } from '../../core/ids.ts'
import { type Database, openDatabase } from './open.ts'
import type { Db } from './tables.ts'

/** A real database without an app, removed when the test ends. */
async function testDatabase(): Promise<AsyncDisposable & { database: Database }> {
  const storage = await createTestStorage()
  const database = await openDatabase(readConfig(storage.settings).config.database, () => {})
  return {
    database,
    [Symbol.asyncDispose]: async () => {
      await database.close()
      await storage[Symbol.asyncDispose]()
    },
  }
}

const insert = async (tx: Db, header: string): Promise<TopicId> =>
  (await tx.insertInto('topic').values({ header, created_at: startOfTest }).returning('id').executeTakeFirstOrThrow())
    .id

const headers = async ({ read }: Database): Promise<string[]> =>
  (await read.selectFrom('topic').select('header').orderBy('id').execute()).map(({ header }) => header)

test('a write sees earlier writes of the same commit, which readers do not see yet', async () => {
  await using t = await testDatabase()
  const first = t.database.transaction((tx) => insert(tx, 'one'))
  const second = t.database.transaction(async (tx) => ({
    inside: (await tx.selectFrom('topic').selectAll().execute()).length,
    outside: (await headers(t.database)).length,
  }))
  await first
  expect(await second).toEqual({ inside: 1, outside: 0 })
})

/** Keeps the process busy, as rendering a response of megabytes does, for longer than a transaction may take. */
const block = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)

test.each([false, true])("slow writes do not wait for each other's commit (one of them fails: %s)", async (fails) => {
  await using t = await testDatabase()
  const seen: string[] = []
  const write = async (name: string) => {
    const writing = t.database.transaction(async (tx) => {
      seen.push(name)
      // Completes while we block, and is processed in the next turn of the event loop.
      void stat('.').then(() => seen.push('event loop turned'))
      block()
      await insert(tx, name)
      if (fails && name === 'one') throw new Error('changed its mind')
    })
    await writing.catch(() => {})
    seen.push(`${name} settled`)
  }
  await Promise.all(['one', 'two'].map(write))
  // A write that fails in a batch may run twice.
  expect(new Set(seen.slice(0, seen.indexOf('two')))).toEqual(new Set(['one', 'one settled', 'event loop turned']))
  expect(await headers(t.database)).toEqual(fails ? ['two'] : ['one', 'two'])
})

test('a write that fails among others is rolled back alone', async () => {
  await using t = await testDatabase()
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, (_, n) =>
      t.database.transaction(async (tx) => {
        await insert(tx, `topic ${n}`)
        await insert(tx, `topic ${n} again`)
        if (n === 20) throw new Error('changed its mind')
        // A comment on a topic that does not exist: the engine itself rejects it.
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
    [30, expect.stringMatching(/foreign key/i)],
  ])
  const stored = Array.from({ length: 50 }, (_, n) => n).filter((n) => n !== 20 && n !== 30)
  expect(await headers(t.database)).toEqual(stored.flatMap((n) => [`topic ${n}`, `topic ${n} again`]))
})

test('a write that fails alone runs once', async () => {
  await using t = await testDatabase()
  let runs = 0
  const failing = t.database.transaction(async (tx) => {
    runs++
    await insert(tx, 'rolled back')
    throw new Error('changed its mind')
  })
  await expect(failing).rejects.toThrow('changed its mind')
  expect([runs, await headers(t.database)]).toEqual([1, []])
})

test('a write that throws after an insert leaves nothing, and the next one succeeds', async () => {
  await using t = await testDatabase()
  const failing = t.database.transaction(async (tx) => {
    await insert(tx, 'rolled back')
    throw new Failure('LAST_OWNER')
  })
  await expect(failing).rejects.toMatchObject({ reason: 'LAST_OWNER' })
  await t.database.transaction((tx) => insert(tx, 'stays'))
  expect(await headers(t.database)).toEqual(['stays'])
})

test('a write that throws synchronously is rejected, and another one succeeds', async () => {
  await using t = await testDatabase()
  const thrown = t.database.transaction(() => {
    throw new Error('synchronously')
  })
  const other = t.database.transaction((tx) => insert(tx, 'stays'))
  await expect(thrown).rejects.toThrow('synchronously')
  await other
  expect(await headers(t.database)).toEqual(['stays'])
})

test('1,000 writes may be pending; one more is rejected at once, and the pending ones succeed', async () => {
  await using t = await testDatabase()
  const pending = Array.from({ length: 1_000 }, (_, n) => t.database.transaction((tx) => insert(tx, `topic ${n}`)))
  await expect(t.database.transaction((tx) => insert(tx, 'too many'))).rejects.toMatchObject({ reason: 'UNAVAILABLE' })
  await Promise.all(pending)
  await t.database.transaction((tx) => insert(tx, 'later'))
  const stored = await headers(t.database)
  expect([stored.length, stored.includes('too many'), stored.at(-1)]).toEqual([1_001, false, 'later'])
})

test('200 clients that post concurrently each get a response with their own topic', async () => {
  await using t = await startTestApp()
  const names = Array.from({ length: 200 }, (_, n) => `topic ${n}`)
  const responses = await Promise.all(names.map((name) => t.client.createTopic({ name, created_by: 1 })))
  expect(responses.map(({ NewsFeed }) => NewsFeed[0]?.content.header)).toEqual(names)
  const { NewsFeed } = await t.client.listTopics({ offset: 0, limit: 1_000 })
  expect(NewsFeed.map(({ content }) => content.header).sort()).toEqual(names.sort())
})

test('closing waits for pending writes', async () => {
  await using storage = await createTestStorage()
  const { config } = readConfig(storage.settings)
  const database = await openDatabase(config.database, () => {})
  const writes = Array.from({ length: 300 }, (_, n) => database.transaction((tx) => insert(tx, `topic ${n}`)))
  await database.close()
  await Promise.all(writes)
  const after = await openDatabase(config.database, () => {})
  expect(await headers(after)).toHaveLength(300)
  await after.close()
})

test('a position is never older than the call for it', async () => {
  await using t = await testDatabase()
  const log = (tx: Db) => tx.insertInto('change').values({ at: 1, kind: 'topic.created', record_id: 1 }).execute()
  expect((await t.database.position()).id).toBe(0)
  const stale: number[] = []
  for (let n = 1; n <= 20; n++) {
    const early = t.database.position()
    await t.database.transaction(log)
    const { id: seen } = await t.database.position()
    if (seen !== n) stale.push(seen)
    await early
  }
  expect(stale).toEqual([])
})
