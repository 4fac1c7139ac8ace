import { createSecretKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { envelope } from '../core/envelope.ts'
import { CachedResponse } from './cached-response.ts'

const key = createSecretKey('5a'.repeat(32), 'hex')
const dataText = '{"NewsFeed":["created_at\\":\\"signature\\":\\"","Zürich 👍"]}'
const made = { name: 'listTopics', parts: [], position: { epoch: '', id: 0 } } as const
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

test('a detached response holds its own bytes and no others', () => {
  // What is all Latin-1 is written behind others.
  const response = new CachedResponse(key, '{"NewsFeed":["Zürich"]}', { ...made })
  expect(response.at(first).buffer.byteLength).toBeGreaterThan(response.size)
  response.detach()
  expect(response.at(second).buffer.byteLength).toBe(response.size)
  response.markShared()
  expect(response.at(first).buffer.byteLength).toBe(response.size)
})
