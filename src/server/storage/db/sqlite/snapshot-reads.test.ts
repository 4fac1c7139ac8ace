import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { createTemporaryFolder } from '../../../../../test/temporary-folder.ts'
import { openDatabase } from '../open.ts'
import type { Db } from '../tables.ts'
import { connect } from './connection.ts'
import { SnapshotReads } from './snapshot-reads.ts'

/** A database, and another connection that writes to its file. */
async function testSnapshotReads() {
  const folder = await createTemporaryFolder()
  const database = await openDatabase({ kind: 'folder', dir: folder.path }, () => {})
  const file = join(folder.path, 'summit.db')
  const other = new DatabaseSync(file)
  let topics = 0
  return {
    database,
    file,
    /** Commits one more topic. */
    commit: () => void other.exec(`insert into topic (header, created_at) values ('topic ${++topics}', 1)`),
    [Symbol.asyncDispose]: async () => {
      other.close()
      await database.close()
      await folder.remove()
    },
  }
}

const count = async (db: Db): Promise<number> => (await db.selectFrom('topic').select('id').execute()).length

test('snapshots requested in one turn see one state, as of the last request, regardless of later commits', async () => {
  await using t = await testSnapshotReads()
  const first = t.database.snapshot(async (db) => {
    const before = await count(db)
    t.commit()
    return [before, await count(db)]
  })
  t.commit()
  const second = t.database.snapshot(count)
  expect(await Promise.all([first, second])).toEqual([[1, 1], 1])
  expect(await t.database.snapshot(count)).toBe(2)
})

test('a snapshot requested while another one runs sees all commits before the request', async () => {
  await using t = await testSnapshotReads()
  let later: Promise<number> | undefined
  const first = t.database.snapshot(async (db) => {
    const before = await count(db)
    t.commit()
    later = t.database.snapshot(count)
    return before
  })
  expect(await first).toBe(0)
  expect(await later).toBe(1)
})

test('the event loop gets a turn between two slow snapshots', async () => {
  await using t = await testSnapshotReads()
  const seen: string[] = []
  const read = async (name: string) => {
    await t.database.snapshot(async () => {
      seen.push(name)
      // Completes while we block, and is processed in the next turn of the event loop.
      void stat('.').then(() => seen.push('event loop turned'))
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60)
    })
  }
  // From here on an immediate runs after all events that are pending.
  await new Promise(setImmediate)
  await Promise.all(['one', 'two'].map(read))
  expect(seen).toEqual(['one', 'event loop turned', 'two'])
})

test('a snapshot requested right after another one has resolved resolves too', async () => {
  await using t = await testSnapshotReads()
  const countTwice = async (delay: number): Promise<number> => {
    await t.database.snapshot(count)
    for (let turn = 0; turn < delay; turn++) await undefined
    return t.database.snapshot(count)
  }
  // A few microtasks pass between the last result and the end of the batch: each is tried.
  for (let delay = 0; delay < 10; delay++) expect(await countTwice(delay)).toBe(0)
})

afterEach(() => void vi.useRealTimers())

test('results read within a millisecond are delivered together, also after a slower one', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  await using t = await testSnapshotReads()
  const slow = t.database.snapshot(async () => vi.advanceTimersByTime(1))
  const seen: string[] = []
  const fast = Array.from({ length: 10 }, () =>
    t.database.snapshot(async () => void seen.push('read')).then(() => seen.push('delivered')),
  )
  await Promise.all([slow, ...fast])
  expect(seen).toEqual([...Array(10).fill('read'), ...Array(10).fill('delivered')])
})

test('a result that took longer is delivered before the next read', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  await using t = await testSnapshotReads()
  const gate = Promise.withResolvers<void>()
  const slow = t.database.snapshot(async () => vi.advanceTimersByTime(1))
  const slower = t.database.snapshot(() => gate.promise)
  await slow
  gate.resolve()
  await slower
})

test('a snapshot that fails to end is not shown to later reads', async () => {
  await using t = await testSnapshotReads()
  using connection = connect(t.file, 'read')
  const prepare = connection.prepare.bind(connection)
  let rollbacks = 0
  connection.prepare = (text) => {
    const statement = prepare(text)
    const { run } = statement
    if (text === 'rollback')
      statement.run = () => {
        if (++rollbacks === 1) throw new Error('disk I/O error')
        return Reflect.apply(run, statement, [])
      }
    return statement
  }
  const snapshots = new SnapshotReads(connection, (error) => error)
  expect(await snapshots.run(count)).toBe(0)
  t.commit()
  expect(await snapshots.run(count)).toBe(1)
  expect(rollbacks).toBeGreaterThan(1)
})

test('every snapshot of a closed database is rejected', async () => {
  await using folder = await createTemporaryFolder()
  const database = await openDatabase({ kind: 'folder', dir: folder.path }, () => {})
  await database.close()
  for (const _ of Array(2)) await expect(database.snapshot(count)).rejects.toThrow('not open')
})

test('a read that fails does so alone, and each read after it still sees one state', async () => {
  await using t = await testSnapshotReads()
  const results = await Promise.allSettled([
    t.database.snapshot(count),
    t.database.snapshot(async (db) => {
      await count(db)
      // Like an I/O error, this ends the shared transaction.
      await sql`rollback`.execute(db)
      throw new Error('disk I/O error')
    }),
    t.database.snapshot(async (db) => {
      const before = await count(db)
      t.commit()
      return [before, await count(db)]
    }),
  ])
  expect(results).toMatchObject([
    { status: 'fulfilled', value: 0 },
    { status: 'rejected', reason: { message: 'disk I/O error' } },
    { status: 'fulfilled', value: [0, 0] },
  ])
})
