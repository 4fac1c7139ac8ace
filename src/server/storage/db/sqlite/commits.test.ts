import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { startOfTest, startTestApp } from '../../../../../test/app.ts'
import { createTemporaryFolder } from '../../../../../test/temporary-folder.ts'
import type { TopicId } from '../../../core/ids.ts'
import { type Database, openDatabase } from '../open.ts'
import { prepared } from '../prepared.ts'
import type { Db } from '../tables.ts'

interface TestDatabase extends AsyncDisposable {
  database: Database
  file: string
}

function failOnSyncError(error: unknown): never {
  throw error
}

/** A real database without an app, in a folder that is removed when the test ends. */
async function testDatabase(onSyncError: (error: unknown) => void = failOnSyncError): Promise<TestDatabase> {
  const dir = await mkdtemp(join(tmpdir(), 'summit-test-'))
  const database = await openDatabase({ kind: 'folder', dir }, onSyncError)
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
 * The number of transactions in the log: the last frame of each has the size of the database after it, the others 0
 * (https://www.sqlite.org/fileformat.html#the_write_ahead_log).
 */
async function commitsIn(file: string): Promise<number> {
  const log = await readFile(`${file}-wal`)
  const pageSize = log.readUInt32BE(8)
  let commits = 0
  for (let frame = 32; frame + 24 <= log.length; frame += 24 + pageSize) if (log.readUInt32BE(frame + 4) > 0) commits++
  return commits
}

test('the connection that writes syncs each commit, overwrites what is deleted, and checkpoints only when told to', async () => {
  await using t = await testDatabase()
  const pragmas = ['journal_mode', 'synchronous', 'secure_delete', 'wal_autocheckpoint', 'foreign_keys']
  const values = await t.database.transaction(async (tx) => {
    const found: unknown[] = []
    for (const pragma of pragmas)
      found.push(...(await sql<object>`${sql.raw(`pragma ${pragma}`)}`.execute(tx)).rows.flatMap(Object.values))
    return found
  })
  // 2 is FULL (https://www.sqlite.org/pragma.html#pragma_synchronous).
  expect(values).toEqual(['wal', 2, 1, 0, 1])
})

test('200 concurrent writes share at most two commits, and each is stored', async () => {
  await using t = await testDatabase()
  const before = await commitsIn(t.file)
  const names = Array.from({ length: 200 }, (_, n) => `topic ${n}`)

  const ids = await Promise.all(names.map((name) => t.database.transaction((tx) => insert(tx, name))))

  expect((await commitsIn(t.file)) - before).toBeLessThanOrEqual(2)
  expect(new Set(ids).size).toBe(200)
  const rows = await t.database.read.selectFrom('topic').select(['id', 'header']).execute()
  expect(new Map(rows.map(({ id, header }) => [id, header]))).toEqual(new Map(ids.map((id, n) => [id, names[n]])))
})

test('sequential writes have a commit each, so each is durable before the next', async () => {
  await using t = await testDatabase()
  const before = await commitsIn(t.file)
  for (const name of ['one', 'two', 'three']) await t.database.transaction((tx) => insert(tx, name))
  expect((await commitsIn(t.file)) - before).toBe(3)
})

describe('while a reader retains a long log', () => {
  async function databaseWithReader() {
    const t = await testDatabase()
    const reader = new DatabaseSync(t.file, { readOnly: true })
    reader.exec('begin')
    reader.prepare('select count(*) from topic').get()
    await t.database.transaction((tx) => insert(tx, 'x'.repeat(25_000_000)))
    return { ...t, reader, [Symbol.asyncDispose]: t[Symbol.asyncDispose] }
  }

  /** Starts writes one after the other: one that does not wait for others is committed before the next. */
  async function writeSpaced(t: { database: Database; file: string }, count: number): Promise<number> {
    const before = await commitsIn(t.file)
    const writes: Promise<TopicId>[] = []
    for (let n = 0; n < count; n++) {
      writes.push(t.database.transaction((tx) => insert(tx, `topic ${n}`)))
      for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
    }
    await Promise.all(writes)
    return (await commitsIn(t.file)) - before
  }

  test('writes that do not arrive together share commits, and no longer once it has finished', async () => {
    await using t = await databaseWithReader()
    expect(await writeSpaced(t, 100)).toBeLessThan(50)
    expect((await headers(t.database)).slice(1)).toEqual(Array.from({ length: 100 }, (_, n) => `topic ${n}`))
    t.reader.close()
    await t.database.transaction((tx) => insert(tx, 'last to wait'))
    // Some of them share commits on a busy machine; all would if they waited.
    expect(await writeSpaced(t, 20)).toBeGreaterThan(10)
  })

  test('a burst of writes fills its commits', async () => {
    await using t = await databaseWithReader()
    using _ = t.reader
    const before = await commitsIn(t.file)
    const burst = Array.from({ length: 1_000 }, (_, n) => t.database.transaction((tx) => insert(tx, `topic ${n}`)))
    expect((await Promise.allSettled(burst)).filter(({ status }) => status === 'rejected')).toEqual([])
    // Five, or more where a machine is so busy that time ends a transaction first.
    expect((await commitsIn(t.file)) - before).toBeLessThan(50)
  })
})

test('an acknowledged write can be read at once by another process', async () => {
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

test('another process that holds the write lock delays writes, but not reads', async () => {
  await using t = await testDatabase()
  await t.database.transaction((tx) => insert(tx, 'before'))
  using other = new DatabaseSync(t.file)
  other.exec('begin immediate')
  other.exec(`insert into topic (header, created_at) values ('theirs', 1)`)
  let isDone = false
  const ours = Promise.all(['one', 'two'].map((name) => t.database.transaction((tx) => insert(tx, name)))).then(() => {
    isDone = true
  })
  for (let nth = 0; nth < 10; nth++) expect(await headers(t.database)).toEqual(['before'])
  expect(isDone).toBe(false)
  other.exec('commit')
  await ours
  expect(await headers(t.database)).toEqual(['before', 'theirs', 'one', 'two'])
})

test('a write that waits too long for the lock of another process fails, and a later one succeeds', async () => {
  await using t = await startTestApp()
  using other = new DatabaseSync(join(t.dataDir, 'summit.db'))
  other.exec('begin immediate')
  let seconds = 0
  vi.useFakeTimers({ toFake: ['performance'] })
  const clock = setInterval(() => {
    seconds++
    vi.advanceTimersByTime(1_000)
  }, 10)
  const { envelope, headers } = await t.client.call('createTopic', { name: 'Lunch', created_by: 1 }).finally(() => {
    clearInterval(clock)
    vi.useRealTimers()
  })
  // A slow machine may take a few more.
  expect(seconds).toBeGreaterThan(4)
  expect(seconds).toBeLessThan(15)
  expect(envelope).toMatchObject({ response_code: 5030, data: { reason: 'UNAVAILABLE' } })
  expect(headers.get('retry-after')).toBe('1')
  other.exec('rollback')
  await t.client.createTopic({ name: 'Dinner', created_by: 1 })
  const { NewsFeed } = await t.client.listTopics({ offset: 0, limit: 10 })
  expect(NewsFeed.map(({ content }) => content.header)).toEqual(['Dinner'])
})

test('a closed database is a single file, after reads, snapshots and writes', async () => {
  await using folder = await createTemporaryFolder()
  const database = await openDatabase({ kind: 'folder', dir: folder.path }, failOnSyncError)
  const ids = prepared((db) => db.selectFrom('topic').select('id'))
  const insertOne = prepared((db) => db.insertInto('topic').values({ header: 'x', created_at: 1 }))
  await database.transaction(insertOne)
  for (const found of [await ids(database.read), await database.snapshot(ids)]) expect(found).toEqual([{ id: 1 }])
  await database.close()
  expect(await readdir(folder.path)).toEqual(['summit.db'])
})

test('writes run again only if one of their batch failed, and then return the ids that were stored', async () => {
  await using t = await testDatabase()
  let runs: number[] = []
  const writeThree = (failing: 'none' | 'the last') => {
    runs = [0, 0, 0]
    return Promise.allSettled(
      runs.map((_, n) =>
        t.database.transaction(async (tx) => {
          runs[n] = (runs[n] ?? 0) + 1
          const id = await insert(tx, `topic ${n}`)
          if (failing === 'the last' && n === 2) throw new Error('changed its mind')
          return id
        }),
      ),
    )
  }
  const stored = async () => (await t.database.read.selectFrom('topic').select('id').orderBy('id').execute()).slice(-2)

  await writeThree('none')
  expect(runs).toEqual([1, 1, 1])
  const [one, two, three] = await writeThree('the last')
  expect(runs).toEqual([2, 2, 2])
  expect(three).toMatchObject({ status: 'rejected', reason: { message: 'changed its mind' } })
  expect((await stored()).map(({ id }) => id)).toEqual(
    [one, two].map((done) => done?.status === 'fulfilled' && done.value),
  )
  // After a failure the next batch runs with savepoints.
  await writeThree('the last')
  expect(runs).toEqual([1, 1, 1])
  expect(await headers(t.database)).toHaveLength(7)
  await writeThree('none')
  await writeThree('the last')
  expect(runs).toEqual([2, 2, 2])
  expect(await headers(t.database)).toHaveLength(12)
})

test('a write that fails before it has changed anything makes no other run again', async () => {
  await using t = await testDatabase()
  let runs = 0
  const failing = () =>
    t.database.transaction(async (tx) => {
      await tx.selectFrom('topic').select('id').execute()
      await tx.deleteFrom('topic').where('header', '=', 'none').execute()
      throw new Error('not found')
    })
  const counted = (name: string) =>
    t.database.transaction(async (tx) => {
      runs++
      return insert(tx, name)
    })
  const results = await Promise.allSettled([counted('one'), failing(), counted('two'), failing()])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
  expect(runs).toBe(2)
  expect(await headers(t.database)).toEqual(['one', 'two'])
})

test('an error that ends the transaction fails every write of the commit, and none runs again', async () => {
  await using t = await testDatabase()
  let runs = 0
  const results = await Promise.allSettled(
    ['one', 'two', 'three'].map((name) =>
      t.database.transaction(async (tx) => {
        runs++
        await insert(tx, name)
        if (name !== 'two') return
        // As SQLite does when the disk is full.
        await sql`rollback`.execute(tx)
        throw new Error('the disk is full')
      }),
    ),
  )
  expect(results.map((result) => result.status === 'rejected' && result.reason.message)).toEqual(
    Array(3).fill('the disk is full'),
  )
  expect(runs).toBe(2)
  await t.database.transaction((tx) => insert(tx, 'later'))
  expect(await headers(t.database)).toEqual(['later'])
})

test('after a failed sync no write is settled any more, neither those of its commit nor a later one', async () => {
  const errors: unknown[] = []
  await using t = await testDatabase((error) => errors.push(error))
  // SQLITE_IOERR_FSYNC (https://www.sqlite.org/rescode.html#ioerr_fsync)
  const failed = Object.assign(new Error('disk I/O error'), { errcode: 10 | (4 << 8) })
  const settled: string[] = []
  const start = (name: string, work: (tx: Db) => Promise<unknown>) =>
    void t.database
      .transaction(work)
      .finally(() => settled.push(name))
      .catch(() => {})
  start('before', (tx) => insert(tx, 'before'))
  start('failing', async (tx) => {
    await insert(tx, 'failing')
    throw failed
  })
  await expect.poll(() => errors).toEqual([failed])
  start('later', (tx) => insert(tx, 'later'))
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
  expect(settled).toEqual([])
  expect(await headers(t.database)).toEqual([])
})
