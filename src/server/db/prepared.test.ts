import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { prepared } from './prepared.ts'

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
