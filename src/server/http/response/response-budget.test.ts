import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { startOfTest, startTestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import type { TopicId } from '../../core/ids.ts'
import {
  allTopics,
  appWithLargeResponses,
  fill,
  proxy,
  receiveCode,
  requestWithoutReading,
  testOnLinux,
} from './large-responses.fixtures.ts'

testOnLinux('large responses are rejected while too many bytes wait to be sent, and small ones are sent', async () => {
  await using t = await appWithLargeResponses()
  const created_by = await make.participant(t)
  // 14 MB each: the fifth exceeds the budget, so that no further one is sent.
  const waiting = []
  for (let nth = 0; nth < 5; nth++)
    waiting.push(await requestWithoutReading(t, `h${nth}.test`, { address: `127.0.0.${10 + nth}` }))
  expect(await make.codeOf(t.client.call('listTopics', allTopics))).toBe(5030)
  expect((await t.client.listTopics({ offset: 0, limit: 1 })).NewsFeed).toHaveLength(1)
  const like = { topic_id: 1, created_by }
  expect(await make.codeOf(t.client.call('likeTopic', like))).toBe(5030)
  expect(await t.ctx.database.read.selectFrom('topic_like').selectAll().execute()).toEqual([])
  await make.topic(t)

  for (const socket of waiting) {
    socket.destroy()
    await once(socket, 'close')
  }
  await expect.poll(() => make.codeOf(t.client.call('listTopics', allTopics))).toBe(1000)
  expect(await make.codeOf(t.client.call('likeTopic', like))).toBe(1000)
})

testOnLinux('shared bytes count once, and cached responses are rejected, too, while too many bytes wait', async () => {
  await using t = await appWithLargeResponses()
  const request = (address: string) => receiveCode(t, 'h.test', { address })
  // The same 14 MB, ten times.
  for (let nth = 0; nth < 10; nth++) expect(await request('127.0.0.10')).toBe(1000)
  // Each second has its own bytes.
  for (let second = 11; second < 15; second++) {
    t.advance(1_000)
    expect(await request(`127.0.0.${second}`)).toBe(1000)
  }
  expect(await request('127.0.0.15')).toBe(5030)
})

describe('a client that does not read its responses', () => {
  test('behind a trusted proxy is told from others by the address that the proxy appends', async () => {
    await using t = await appWithLargeResponses(proxy)
    expect(await fill(t, (nth) => ({ forwardedFor: `192.0.2.${nth}, 198.51.100.7, 10.1.2.3` }))).toBe(2)
    expect(await receiveCode(t, 'other.test', { forwardedFor: '203.0.113.9' })).toBe(1000)
  })
})

testOnLinux.each(['/feed/1', '/feed/1?from=1'])('pages count, too: %s', async (path) => {
  await using t = await startTestApp()
  await make.topic(t)
  // As large as the limit of comments may be set, and five bytes for each character: 15 MB.
  const comment = { topic_id: 1 as TopicId, comment: '&'.repeat(60_000), created_at: startOfTest }
  await t.ctx.database.transaction(async (tx) => {
    for (let nth = 0; nth < 51; nth++) await tx.insertInto('comment').values(comment).execute()
  })
  // Each Host has a page of its own.
  const statusFor = async (host: string, address: string) =>
    String((await requestWithoutReading(t, host, { address, path })).read()).slice(0, 'HTTP/1.1 200'.length)
  const statuses = [await statusFor('h1.test', '127.0.0.10'), await statusFor('h2.test', '127.0.0.10')]
  expect(statuses).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
  expect(await statusFor('h3.test', '127.0.0.10')).toBe('HTTP/1.1 503')
  expect(await statusFor('h3.test', '127.0.0.11')).toBe('HTTP/1.1 200')
})
