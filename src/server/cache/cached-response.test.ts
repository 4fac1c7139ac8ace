import { createSecretKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { envelope } from '../core/envelope.ts'
import { CachedResponse } from './cached-response.ts'
import { CachedResponses } from './cached-responses.ts'

const key = createSecretKey('5a'.repeat(32), 'hex')
const dataText = '{"NewsFeed":["created_at\\":\\"signature\\":\\"","Zürich 👍"]}'
const made = { name: 'listTopics', parts: [], position: { history: '', id: 0 } } as const
const makePage = () => new CachedResponse(key, dataText, { ...made })

const first = '2030-05-01 09:00:00'
const second = '2030-05-01 09:00:01'
const expected = (createdAt: string) => envelope(key, 1000, dataText, createdAt, 'Success')

test('a page is at every second what its envelope would be', () => {
  const page = makePage()
  for (const createdAt of [first, second, second, first])
    expect(page.at(createdAt).toString()).toBe(expected(createdAt))
})

test('bytes that are still being sent stay as they are when the second changes', () => {
  const page = makePage()
  const sending = page.at(first)
  page.markShared()
  expect(page.at(second).toString()).toBe(expected(second))
  expect(sending.toString()).toBe(expected(first))
})

test('a page that is kept holds its own bytes and no others', () => {
  // What is all Latin-1 is written behind others.
  const [kept, page] = [new CachedResponses(5_000), new CachedResponse(key, '{"NewsFeed":["Zürich"]}', { ...made })]
  expect(page.at(first).buffer.byteLength).toBeGreaterThan(page.size)
  kept.set('a', page)
  expect(page.at(second).buffer.byteLength).toBe(page.size)
  page.markShared()
  expect(page.at(first).buffer.byteLength).toBe(page.size)
})

test('pages together take no more than they may, and those that are asked for stay', () => {
  const kept = new CachedResponses(5_000)
  kept.set('asked for', makePage())
  for (let nth = 0; nth < 50; nth++) {
    kept.get('asked for')
    kept.set(String(nth), makePage())
  }
  const there = ['asked for', ...Array.from({ length: 50 }, (_, nth) => String(nth))].filter((name) => kept.get(name))
  expect(there).toContain('asked for')
  expect(there).toContain('49')
  expect(there.length).toBe(4)
})
