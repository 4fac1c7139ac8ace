import { stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { startOfTest, testApp, testPlace } from '../../../test/app.ts'
import { readConfig } from '../config.ts'
import { Failure } from '../core/failure.ts'
import type { TopicId } from '../core/ids.ts'
import { type Database, openDatabase } from './open.ts'
import type { Db } from './tables.ts'

/** The real database by itself, gone when the test ends. */
async function testDatabase(): Promise<AsyncDisposable & { database: Database }> {
  const place = await testPlace()
  const database = await openDatabase(readConfig(place.settings).config.database, () => {})
  return {
    database,
    [Symbol.asyncDispose]: async () => {
      await database.close()
      await place[Symbol.asyncDispose]()
    },
  }
}

const insert = async (tx: Db, header: string): Promise<TopicId> =>
  (await tx.insertInto('topic').values({ header, created_at: startOfTest }).returning('id').executeTakeFirstOrThrow())
    .id

const headers = async ({ read }: Database): Promise<string[]> =>
  (await read.selectFrom('topic').select('header').orderBy('id').execute()).map(({ header }) => header)

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

/** Keeps the process busy, as an answer of megabytes does, for longer than a transaction may take. */
const work = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)

test.each([false, true])('writes that take long do not wait for each other, whether one fails: %s', async (fails) => {
  await using t = await testDatabase()
  const seen: string[] = []
  const write = async (name: string) => {
    const writing = t.database.transaction(async (tx) => {
      seen.push(name)
      // Is there while we work, and heard of when whatever else is there is, too.
      void stat('.').then(() => seen.push('others had their turn'))
      work()
      await insert(tx, name)
      if (fails && name === 'one') throw new Error('changed its mind')
    })
    await writing.catch(() => {})
    seen.push(`${name} answered`)
  }
  await Promise.all(['one', 'two'].map(write))
  // What fails among others may run twice.
  expect(new Set(seen.slice(0, seen.indexOf('two')))).toEqual(new Set(['one', 'one answered', 'others had their turn']))
  expect(await headers(t.database)).toEqual(fails ? ['two'] : ['one', 'two'])
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
    [30, expect.stringMatching(/foreign key/i)],
  ])
  const kept = Array.from({ length: 50 }, (_, n) => n).filter((n) => n !== 20 && n !== 30)
  expect(await headers(t.database)).toEqual(kept.flatMap((n) => [`topic ${n}`, `topic ${n} again`]))
})

test('a write that fails alone runs once', async () => {
  await using t = await testDatabase()
  let runs = 0
  const failing = t.database.transaction(async (tx) => {
    runs++
    await insert(tx, 'gone')
    throw new Error('changed its mind')
  })
  await expect(failing).rejects.toThrow('changed its mind')
  expect([runs, await headers(t.database)]).toEqual([1, []])
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

test('200 clients who post at once are all answered, each with its own topic', async () => {
  await using t = await testApp()
  const names = Array.from({ length: 200 }, (_, n) => `topic ${n}`)
  const answers = await Promise.all(names.map((name) => t.client.createTopic({ name, created_by: 1 })))
  expect(answers.map(({ NewsFeed }) => NewsFeed[0]?.content.header)).toEqual(names)
  const { NewsFeed } = await t.client.listTopics({ offset: 0, limit: 1_000 })
  expect(NewsFeed.map(({ content }) => content.header).sort()).toEqual(names.sort())
})

test('closing waits for the writes under way', async () => {
  await using place = await testPlace()
  const { config } = readConfig(place.settings)
  const database = await openDatabase(config.database, () => {})
  const writes = Array.from({ length: 300 }, (_, n) => database.transaction((tx) => insert(tx, `topic ${n}`)))
  await database.close()
  await Promise.all(writes)
  const after = await openDatabase(config.database, () => {})
  expect(await headers(after)).toHaveLength(300)
  await after.close()
})

test('a position is never older than its question', async () => {
  await using t = await testDatabase()
  const log = (tx: Db) => tx.insertInto('change').values({ at: 1, kind: 'topic.created', record_id: 1 }).execute()
  expect((await t.database.position()).id).toBe(0)
  const older: number[] = []
  for (let n = 1; n <= 20; n++) {
    const early = t.database.position()
    await t.database.transaction(log)
    const { id: seen } = await t.database.position()
    if (seen !== n) older.push(seen)
    await early
  }
  expect(older).toEqual([])
})
