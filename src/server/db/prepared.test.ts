import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import type { TopicId } from '../core/ids.ts'
import { type AnswersAtOnce, prepared, preparedInsert } from './prepared.ts'
import type { Tables } from './tables.ts'

test('a query is built once, however many snapshots and transactions run it', async () => {
  await using t = await testApp()
  const { database } = t.ctx
  let built = 0
  const topicsAmong = prepared((db, ids: number[], most: number) => {
    built++
    return db
      .selectFrom('topic')
      .select('id')
      .where('id', 'in', ids as never)
      .limit(most)
  })
  const ask = (database: Parameters<typeof topicsAmong>[0]) => topicsAmong(database, [1, 2, 3], 5)
  // One connection each may have its own.
  const kinds = [() => ask(database.read), () => database.snapshot(ask), () => database.transaction(ask)]
  for (const kind of kinds) await kind()
  const first = built
  expect(first).toBeLessThanOrEqual(kinds.length)
  for (const kind of kinds) for (let nth = 0; nth < 3; nth++) expect(await kind()).toEqual([])
  expect(built).toBe(first)
})

/** An engine that answers nothing, and remembers what it was asked. */
function recordingEngine() {
  const asked: { text: string; parameters: readonly unknown[] }[] = []
  class Adapter extends SqliteAdapter implements AnswersAtOnce {
    rowsAtOnce(text: string, parameters: readonly unknown[]): unknown[] {
      asked.push({ text, parameters })
      return []
    }

    insertAtOnce(text: string, parameters: readonly unknown[]): number {
      asked.push({ text, parameters })
      return asked.length
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
  return { db, asked }
}

test('numbers that are the same in every run are in the text, where an index can be chosen by them', async () => {
  const { db, asked } = recordingEngine()
  const keptAfter = prepared((db, id: number) =>
    db
      .selectFrom('feedback')
      .select('id')
      .where('is_deleted', '=', 0)
      .where('id', '>', id)
      .where('rating', '=', '5')
      .limit(10),
  )
  for (const id of [7, 8]) await keptAfter(db, id)
  const text = 'select "id" from "feedback" where "is_deleted" = 0 and "id" > ? and "rating" = ? limit 10'
  expect(asked).toEqual([
    { text, parameters: [7, '5'] },
    { text, parameters: [8, '5'] },
  ])
})

test('a row that is inserted is not asked for its id where the engine knows it', async () => {
  const { db, asked } = recordingEngine()
  const insert = preparedInsert((db, header: string) => db.insertInto('topic').values({ header, created_at: 1 }))
  expect(await insert(db, 'x')).toBe(1)
  expect(asked).toEqual([{ text: 'insert into "topic" ("header", "created_at") values (?, ?)', parameters: ['x', 1] }])
})

test('whoever inserts is told the id of the row, on every engine', async () => {
  await using t = await testApp()
  const insert = preparedInsert((db, header: string) => db.insertInto('topic').values({ header, created_at: 1 }))
  const told = await t.ctx.database.transaction(async (tx) => [await insert(tx, 'one'), await insert(tx, 'two')])
  const stored = await t.ctx.database.read.selectFrom('topic').select(['id', 'header']).orderBy('id').execute()
  expect(stored.map(({ id, header }) => [id, header])).toEqual([
    [told[0], 'one'],
    [told[1], 'two'],
  ])
})

test('whoever inserts nothing is told no id', async () => {
  await using t = await testApp()
  const insert = preparedInsert((db, id: TopicId) =>
    db
      .insertInto('topic')
      .values({ id, header: 'x', created_at: 1 })
      .onConflict((conflict) => conflict.doNothing()),
  )
  const id = 7 as TopicId
  expect(await t.ctx.database.transaction((tx) => insert(tx, id))).toBe(7)
  await expect(t.ctx.database.transaction((tx) => insert(tx, id))).rejects.toThrow('expected one row')
})

test('two lists with as many values together are different texts', async () => {
  const { db, asked } = recordingEngine()
  const among = prepared((db, ratings: string[], ids: number[]) =>
    db.selectFrom('feedback').select('id').where('rating', 'in', ratings).where('id', 'in', ids),
  )
  await among(db, ['4', '5'], [1])
  await among(db, ['5'], [1, 2])
  await among(db, ['5'], [1])
  const select = 'select "id" from "feedback" where "rating" in'
  expect(asked).toEqual([
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
])('%i values are asked for as %i, the last of them again', async (given, expected) => {
  const { db, asked } = recordingEngine()
  const among = prepared((db, ids: number[]) => db.selectFrom('feedback').select('id').where('id', 'in', ids))
  const ids = Array.from({ length: given }, (_, nth) => nth + 1)
  await among(db, ids)
  expect(asked[0]?.parameters).toEqual([...ids, ...Array(expected - given).fill(given)])
})
