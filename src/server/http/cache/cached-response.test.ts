import { expect, test } from 'vitest'
import { envelope } from '../../core/envelope.ts'
import { HmacKey } from '../../core/hmac-key.ts'
import { CachedResponse } from './cached-response.ts'

const key = HmacKey.fromHex('5a'.repeat(32))
const dataText = '{"NewsFeed":["created_at\\":\\"signature\\":\\"","Zürich 👍"]}'
const version = { name: 'listTopics', isEmpty: false, dependencies: [], position: { epoch: '', id: 0 } } as const
const createResponse = () => new CachedResponse(key, dataText, { ...version })

const first = '2030-05-01 09:00:00'
const second = '2030-05-01 09:00:01'
const expected = (createdAt: string) => envelope(key, 1000, dataText, createdAt, 'Success')

test('the bytes of a cached response equal its envelope at every second', () => {
  const response = createResponse()
  for (const createdAt of [first, second, second, first])
    expect(response.at(createdAt).toString()).toBe(expected(createdAt))
})

test('bytes that are still being sent do not change with the second', () => {
  const response = createResponse()
  const sending = response.at(first)
  response.markShared()
  expect(response.at(second).toString()).toBe(expected(second))
  expect(sending.toString()).toBe(expected(first))
})

test.each([
  ['ASCII', 'Lunch is served'],
  ['Latin-1', 'Zürich, café'],
  ['an emoji, which is two UTF-16 code units', 'Lunch 👍 is served'],
  ['long text of one to four bytes per character', 'aé漢👍'.repeat(50_000)],
])('a response is encoded as UTF-8, and keeps only its own bytes in memory: %s', (_, text) => {
  const data = JSON.stringify({ NewsFeed: [text] })
  const response = new CachedResponse(key, data, { ...version })
  expect(response.at(first).toString()).toContain(`"data":${data},"system":{"created_at":"${first}"`)
  expect(response.at(first).buffer.byteLength).toBe(response.size)
  response.markShared()
  expect(response.at(second).buffer.byteLength).toBe(response.size)
})
