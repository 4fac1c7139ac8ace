import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { startOfTest, startTestApp, type TestApp } from '../../../../test/app.ts'
import { holdWrites } from '../../../../test/databases.ts'
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

describe('a client that does not read its responses', () => {
  testOnLinux('is refused large ones beyond its share, and another client gets its own', async () => {
    await using t = await appWithLargeResponses()
    expect(await fill(t, () => ({ address: '127.0.0.10' }))).toBe(2)
    expect(await make.codeOf(t.client.call('listTopics', allTopics))).toBe(1000)
    const other = await Promise.all([1, 2].map((nth) => receiveCode(t, `other${nth}.test`, { address: '127.0.0.11' })))
    expect(other).toEqual([1000, 1000])
  })

  testOnLinux('gets one response that is larger than the memory for all, without harm to others', async () => {
    await using t = await appWithLargeResponses()
    await t.ctx.database.transaction(async (tx) => {
      const body = '\u0001'.repeat(10_000_000)
      await tx.insertInto('topic').values({ header: 'x', body, created_at: startOfTest }).execute()
    })
    const address = '127.0.0.10'
    expect(await receiveCode(t, 'h0.test', { address })).toBe(1000)
    expect(await receiveCode(t, 'h1.test', { address, offset: 1 })).toBe(5030)
    expect(await receiveCode(t, 'h2.test', { address: '127.0.0.11', offset: 1 })).toBe(1000)
  })

  test('has one share for all addresses of an IPv6 network', async () => {
    await using t = await appWithLargeResponses(proxy)
    expect(await fill(t, (nth) => ({ forwardedFor: `2001:db8:0:1::${nth}` }))).toBe(2)
    expect(await receiveCode(t, 'other.test', { forwardedFor: '2001:db8:0:2::1' })).toBe(1000)
  })

  test('has no share of its own behind a trusted proxy that does not name it', async () => {
    await using t = await appWithLargeResponses(proxy)
    expect(await fill(t, () => ({}))).toBe(5)
  })

  testOnLinux('is not believed to be a proxy unless it is trusted', async () => {
    await using t = await appWithLargeResponses()
    expect(await fill(t, (nth) => ({ forwardedFor: `192.0.2.${nth}` }))).toBe(2)
    await using other = await appWithLargeResponses(proxy)
    expect(await fill(other, (nth) => ({ address: '127.0.0.10', forwardedFor: `192.0.2.${nth}` }))).toBe(2)
  })
})

/** Sends a request, and disconnects as soon as it has started. */
async function requestAndDisconnect(
  { url, client }: TestApp,
  request: string,
  hasStarted: () => boolean,
): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(request)
  await expect.poll(hasStarted, { interval: 5 }).toBe(true)
  socket.resetAndDestroy()
  await once(socket, 'close')
  // Once this has a response, the server has seen the disconnect.
  await client.listTopics({ offset: 0, limit: 1 })
}

test('responses whose clients have disconnected do not count', async () => {
  await using t = await appWithLargeResponses()
  const body = '{"name":"x","updated_by":7}'
  const update =
    'PUT /api/newsfeeds/topics/1/update HTTP/1.1\r\nHost: h.test\r\nContent-Type: application/json\r\n' +
    `Content-Length: ${body.length}\r\n\r\n${body}`
  const transaction = vi.spyOn(t.ctx.database, 'transaction')
  // 2 MB each, together more than the budget.
  for (let nth = 1; nth <= 40; nth++) {
    const release = await holdWrites(t)
    await requestAndDisconnect(t, update, () => transaction.mock.calls.length === nth)
    await release()
    await transaction.mock.results.at(-1)?.value
  }
  expect(await make.codeOf(t.client.call('getTopic', { topic_id: 1 }))).toBe(1000)
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
