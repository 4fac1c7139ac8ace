import { mkdtempDisposable, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { openDatabase } from '../open.ts'
import type { Db } from '../tables.ts'

/** A database, and whoever else writes to its file. */
async function testSnapshots() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'summit-test-'))
  const database = await openDatabase({ kind: 'folder', dir: folder.path }, () => {})
  const other = new DatabaseSync(join(folder.path, 'summit.db'))
  let topics = 0
  return {
    database,
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

test('those who ask in one turn see one state, of after the last of them asked, whatever is committed meanwhile', async () => {
  await using t = await testSnapshots()
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

test('whoever asks while others read sees what was committed before it asked', async () => {
  await using t = await testSnapshots()
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

test('what has been read leaves before more is, where that takes long', async () => {
  await using t = await testSnapshots()
  const seen: string[] = []
  const read = async (name: string) => {
    await t.database.snapshot(async () => {
      seen.push(name)
      // Is there while we work, and heard of when whatever else is there is, too.
      void stat('.').then(() => seen.push('others had their turn'))
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60)
    })
  }
  // From here on an immediate comes after all that is there.
  await new Promise(setImmediate)
  await Promise.all(['one', 'two'].map(read))
  expect(seen).toEqual(['one', 'others had their turn', 'two'])
})

test('who asks as soon as another is answered is answered, too', async () => {
  await using t = await testSnapshots()
  const askTwice = async (delay: number): Promise<number> => {
    await t.database.snapshot(count)
    for (let turn = 0; turn < delay; turn++) await undefined
    return t.database.snapshot(count)
  }
  // Between the last answer and the end of its work lie a few turns of the queue: each is tried.
  for (let delay = 0; delay < 10; delay++) expect(await askTwice(delay)).toBe(0)
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('what is read within a millisecond is handed out together, also after what took longer', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  await using t = await testSnapshots()
  const slow = t.database.snapshot(async () => vi.advanceTimersByTime(1))
  const seen: string[] = []
  const asked = Array.from({ length: 10 }, () =>
    t.database.snapshot(async () => void seen.push('read')).then(() => seen.push('told')),
  )
  await Promise.all([slow, ...asked])
  expect(seen).toEqual([...Array(10).fill('read'), ...Array(10).fill('told')])
})

test('what took longer is handed out before the next is read', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  await using t = await testSnapshots()
  const gate = Promise.withResolvers<void>()
  const slow = t.database.snapshot(async () => vi.advanceTimersByTime(1))
  const slower = t.database.snapshot(() => gate.promise)
  await slow
  gate.resolve()
  await slower
})

test('a state that does not end is not shown to those who ask later', async () => {
  await using t = await testSnapshots()
  const { run } = StatementSync.prototype
  let runs = 0
  vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (this: StatementSync, ...values) {
    // The first begins, the second ends.
    if (++runs === 2) throw new Error('disk I/O error')
    return run.apply(this, values)
  })
  expect(await t.database.snapshot(count)).toBe(0)
  expect(runs).toBe(2)
  t.commit()
  expect(await t.database.snapshot(count)).toBe(1)
})

test('whoever asks a database that is closed is told so, each time', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'summit-test-'))
  const database = await openDatabase({ kind: 'folder', dir: folder.path }, () => {})
  await database.close()
  for (const _ of ['once', 'again']) await expect(database.snapshot(count)).rejects.toThrow('not open')
})

test('a read that fails fails alone, and those after it still see one state each', async () => {
  await using t = await testSnapshots()
  const asked = await Promise.allSettled([
    t.database.snapshot(count),
    t.database.snapshot(async (db) => {
      await count(db)
      // As an I/O error does, this ends what all of them share.
      await sql`rollback`.execute(db)
      throw new Error('disk I/O error')
    }),
    t.database.snapshot(async (db) => {
      const before = await count(db)
      t.commit()
      return [before, await count(db)]
    }),
  ])
  expect(asked).toMatchObject([
    { status: 'fulfilled', value: 0 },
    { status: 'rejected', reason: { message: 'disk I/O error' } },
    { status: 'fulfilled', value: [0, 0] },
  ])
})
