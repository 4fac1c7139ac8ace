import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/app.ts'
import type { TopicId } from '../../core/ids.ts'
import { prepared, preparedInsert, type SyncAdapter } from './prepared.ts'
import type { Tables } from './tables.ts'

test('a query is built once, regardless of how many snapshots and transactions run it', async () => {
  await using t = await startTestApp()
  const { database } = t.ctx
  let built = 0
  const topicsAmong = prepared((db, ids: number[], limit: number) => {
    built++
    return db
      .selectFrom('topic')
      .select('id')
      .where('id', 'in', ids as never)
      .limit(limit)
  })
  const query = (database: Parameters<typeof topicsAmong>[0]) => topicsAmong(database, [1, 2, 3], 5)
  // Each connection may have its own.
  const runs = [() => query(database.read), () => database.snapshot(query), () => database.transaction(query)]
  for (const run of runs) await run()
  const first = built
  expect(first).toBeLessThanOrEqual(runs.length)
  for (const run of runs) for (let n = 0; n < 3; n++) expect(await run()).toEqual([])
  expect(built).toBe(first)
})

/** An engine that returns no rows, and records its statements. */
function recordingEngine() {
  const statements: { text: string; parameters: readonly unknown[] }[] = []
  class Adapter extends SqliteAdapter implements SyncAdapter {
    querySync(text: string, parameters: readonly unknown[]): unknown[] {
      statements.push({ text, parameters })
      return []
    }

    insertSync(text: string, parameters: readonly unknown[]): number {
      statements.push({ text, parameters })
      return statements.length
    }
  }
  const adapter = new Adapter()
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => adapter,
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  return { db, statements }
}

test('constant numbers are in the text of the query, so that the engine can choose an index by them', async () => {
  const { db, statements } = recordingEngine()
  const ratedAfter = prepared((db, id: number) =>
    db
      .selectFrom('feedback')
      .select('id')
      .where('is_deleted', '=', 0)
      .where('id', '>', id)
      .where('rating', '=', '5')
      .limit(10),
  )
  for (const id of [7, 8]) await ratedAfter(db, id)
  const text = 'select "id" from "feedback" where "is_deleted" = 0 and "id" > ? and "rating" = ? limit 10'
  expect(statements).toEqual([
    { text, parameters: [7, '5'] },
    { text, parameters: [8, '5'] },
  ])
})

test('an insert has no returning clause if the engine reports the id without one', async () => {
  const { db, statements } = recordingEngine()
  const insert = preparedInsert((db, header: string) => db.insertInto('topic').values({ header, created_at: 1 }))
  expect(await insert(db, 'x')).toBe(1)
  expect(statements).toEqual([
    { text: 'insert into "topic" ("header", "created_at") values (?, ?)', parameters: ['x', 1] },
  ])
})

test('an insert returns the id of its row, on every engine', async () => {
  await using t = await startTestApp()
  const insert = preparedInsert((db, header: string) => db.insertInto('topic').values({ header, created_at: 1 }))
  const ids = await t.ctx.database.transaction(async (tx) => [await insert(tx, 'one'), await insert(tx, 'two')])
  const stored = await t.ctx.database.read.selectFrom('topic').select(['id', 'header']).orderBy('id').execute()
  expect(stored.map(({ id, header }) => [id, header])).toEqual([
    [ids[0], 'one'],
    [ids[1], 'two'],
  ])
})

test('an insert that inserts no row throws instead of returning an id', async () => {
  await using t = await startTestApp()
  const insert = preparedInsert((db, id: TopicId) =>
    db
      .insertInto('topic')
      .values({ id, header: 'x', created_at: 1 })
      .onConflict((conflict) => conflict.doNothing()),
  )
  const id = 7 as TopicId
  expect(await t.ctx.database.transaction((tx) => insert(tx, id))).toBe(7)
  await expect(t.ctx.database.transaction((tx) => insert(tx, id))).rejects.toThrow('Expected one row')
})

test('lists of different lengths are different texts, even if their total is the same', async () => {
  const { db, statements } = recordingEngine()
  const among = prepared((db, ratings: string[], ids: number[]) =>
    db.selectFrom('feedback').select('id').where('rating', 'in', ratings).where('id', 'in', ids),
  )
  await among(db, ['4', '5'], [1])
  await among(db, ['5'], [1, 2])
  await among(db, ['5'], [1])
  const select = 'select "id" from "feedback" where "rating" in'
  expect(statements).toEqual([
    { text: `${select} (?, ?) and "id" in (?)`, parameters: ['4', '5', 1] },
    { text: `${select} (?) and "id" in (?, ?)`, parameters: ['5', 1, 2] },
    { text: `${select} (?) and "id" in (?)`, parameters: ['5', 1] },
  ])
})

test.each([
  [1, 1],
  [7, 7],
  [9, 10],
  [20, 20],
  [60, 64],
  [68, 80],
  [1_000, 1_024],
])('a list of %i values is padded to %i with its last value', async (length, padded) => {
  const { db, statements } = recordingEngine()
  const among = prepared((db, ids: number[]) => db.selectFrom('feedback').select('id').where('id', 'in', ids))
  const ids = Array.from({ length }, (_, n) => n + 1)
  await among(db, ids)
  expect(statements[0]?.parameters).toEqual([...ids, ...Array(padded - length).fill(length)])
})
