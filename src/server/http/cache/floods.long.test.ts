import { afterEach, expect, test, vi } from 'vitest'
import { startTestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { hourMs, minuteMs } from '../../core/time-units.ts'
import { countBuilds, topics } from './floods.fixtures.ts'

afterEach(() => vi.restoreAllMocks())

test('a page that was read twice stays cached while others are read once, and is replaced when it changes', async () => {
  await using t = await startTestApp({ PAGE_CACHE_BYTES: '100000' })
  for (let nth = 0; nth < 4; nth++) await make.topic(t, { body: 'x'.repeat(5_000) })
  const read = countBuilds(t)
  const hot = topics(0, 2)
  const readOthers = async () => {
    // Five times the cache.
    for (let limit = 3; limit < 30; limit++) expect(await read(topics(0, limit))).toBe(1)
  }
  expect([await read(hot), await read(hot)]).toEqual([1, 0])
  await readOthers()
  expect(await read(hot)).toBe(0)
  await make.topic(t)
  expect([await read(hot), await read(hot)]).toEqual([1, 0])
  await readOthers()
  expect(await read(hot)).toBe(0)
})

test('pages that are read once fill all of the cache until one is read again', async () => {
  await using t = await startTestApp({ PAGE_CACHE_BYTES: '100000' })
  for (let nth = 0; nth < 4; nth++) await make.topic(t, { body: 'x'.repeat(5_000) })
  const read = countBuilds(t)
  const pages = [1, 2, 3, 4].map((limit) => topics(0, limit))
  for (const page of pages) expect(await read(page)).toBe(1)
  for (const page of pages) expect(await read(page)).toBe(0)
})

test('without PUBLIC_URL, responses are cached for eight hosts at a time, and not for those of a flood', async () => {
  await using t = await startTestApp()
  await make.topic(t)
  const read = countBuilds(t)
  const path = topics(0, 20)
  const isCached = async (host: string) => (await read(path, host)) + (await read(path, host)) === 1
  expect(await read(path, 'used')).toBe(1)
  for (let nth = 1; nth < 8; nth++) expect(await isCached(`host-${nth}`)).toBe(true)
  for (let nth = 8; nth < 20; nth++) expect(await isCached(`host-${nth}`)).toBe(false)
  expect(await read(path, 'used')).toBe(0)
  t.advance(hourMs - minuteMs)
  expect(await read(path, 'used')).toBe(0)
  t.advance(2 * minuteMs)
  // All but the one that is in use have given up their places.
  expect(await isCached('host-20')).toBe(true)
  expect(await read(path, 'used')).toBe(0)
})

test('with PUBLIC_URL, all hosts read the same response', async () => {
  await using t = await startTestApp({ PUBLIC_URL: 'https://summit.example' })
  await make.topic(t)
  const read = countBuilds(t)
  expect(await read(topics(0, 20))).toBe(1)
  for (let nth = 0; nth < 20; nth++) expect(await read(topics(0, 20), `host-${nth}`)).toBe(0)
})
