import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { createCache } from './response-cache.fixtures.ts'

test('a hundred concurrent requests for a changed response cause one query', async () => {
  await using t = await startTestApp()
  let queries = 0
  const get = createCache(t, 1_000_000, async () => ({ queries: ++queries }))
  await Promise.all(Array.from({ length: 100 }, get))
  expect(queries).toBe(1)
  await make.event(t)
  await Promise.all(Array.from({ length: 100 }, get))
  expect(queries).toBe(1)
  await make.topic(t)
  await Promise.all(Array.from({ length: 100 }, get))
  expect(queries).toBe(2)
})

test('a response whose data changed while it was being built is not served from the cache', async () => {
  await using t = await startTestApp()
  let reads = 0
  const get = createCache(t, 1_000_000, async () => {
    if (reads++ === 0) await make.topic(t)
    return {}
  })
  await get()
  await get()
  expect(reads).toBe(2)
})
