import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { startOfTest, startTestApp, type TestApp } from '../../../../test/app.ts'
import { holdWrites } from '../../../../test/databases.ts'
import * as make from '../../../../test/make.ts'
import type { TopicId } from '../../core/ids.ts'

/** Topics whose characters take six bytes each in JSON: a page of all of them is 14 MB. */
const topics = 200

const soon = { interval: 5, timeout: 10_000 }

const allTopics = { offset: 0, limit: topics }

async function appWithLargeResponses(settings: Record<string, string> = {}): Promise<TestApp> {
  const t = await startTestApp(settings)
  const row = { header: 'x', body: '\u0001'.repeat(10_000), created_at: startOfTest }
  await t.ctx.database.transaction(async (tx) => {
    for (let nth = 0; nth < topics; nth++) await tx.insertInto('topic').values(row).execute()
    // The details of the first topic alone are 2 MB.
    const comment = { topic_id: 1 as TopicId, comment: row.body, created_at: startOfTest }
    for (let nth = 0; nth < 30; nth++) await tx.insertInto('comment').values(comment).execute()
  })
  return t
}

/** Only Linux has all addresses of 127.0.0.0/8. */
const testOnLinux = test.skipIf(process.platform !== 'linux')

interface Sender {
  /** An address of this machine. */
  address?: string
  forwardedFor?: string
  offset?: number
}

/** Requests all topics, and does not read the response. Each Host has a response of its own. */
async function requestWithoutReading(
  { url }: TestApp,
  host: string,
  { address, forwardedFor, offset = 0 }: Sender = {},
) {
  const { port } = new URL(url)
  const socket = connect({ port: Number(port), host: '127.0.0.1', ...(address && { localAddress: address }) })
  const forwarded = forwardedFor === undefined ? '' : `X-Forwarded-For: ${forwardedFor}\r\n`
  socket.write(`GET /api/newsfeeds/topics/${offset}/${topics} HTTP/1.1\r\nHost: ${host}\r\n${forwarded}\r\n`)
  await once(socket, 'readable')
  return socket
}

/** Requests all topics, and reads the beginning of the response. */
async function receiveCode(t: TestApp, host: string, sender?: Sender): Promise<number> {
  const socket = await requestWithoutReading(t, host, sender)
  return Number(/"response_code":(\d+)/.exec(String(socket.read()))?.[1])
}

/** Requests pages of 14 MB, and reads none of them, until one is refused. @returns the number of them */
async function fill(t: TestApp, sender: (nth: number) => Sender): Promise<number> {
  for (let nth = 0; ; nth++) if ((await receiveCode(t, `h${nth}.test`, sender(nth))) === 5030) return nth
}

testOnLinux('large responses are rejected while too many bytes wait to be sent, and small ones are sent', async () => {
  await using t = await appWithLargeResponses()
  // 14 MB each: the fifth exceeds the budget, so that no further one is admitted.
  const waiting = []
  for (let nth = 0; nth < 5; nth++)
    waiting.push(await requestWithoutReading(t, `h${nth}.test`, { address: `127.0.0.${10 + nth}` }))
  expect(await make.codeOf(t.client.call('listTopics', allTopics))).toBe(5030)
  expect((await t.client.listTopics({ offset: 0, limit: 1 })).NewsFeed).toHaveLength(1)
  const like = { topic_id: 1, created_by: 7 }
  expect(await make.codeOf(t.client.call('likeTopic', like))).toBe(5030)
  expect(await t.ctx.database.read.selectFrom('topic_like').selectAll().execute()).toEqual([])
  await make.topic(t)

  for (const socket of waiting) {
    socket.destroy()
    await once(socket, 'close')
  }
  await expect.poll(() => make.codeOf(t.client.call('listTopics', allTopics)), soon).toBe(1000)
  expect(await make.codeOf(t.client.call('likeTopic', like))).toBe(1000)
})

/** Sends a request, and disconnects as soon as it has started. */
async function requestAndDisconnect(
  { url, client }: TestApp,
  request: string,
  hasStarted: () => boolean,
): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(request)
  await expect.poll(hasStarted, soon).toBe(true)
  socket.resetAndDestroy()
  await once(socket, 'close')
  // Once this has a response, the server has seen the disconnect.
  await client.listTopics({ offset: 0, limit: 1 })
}

test('responses whose clients have disconnected do not count', async () => {
  await using t = await appWithLargeResponses()
  const body = '{"created_by":7}'
  const like =
    'POST /api/newsfeeds/topics/1/likes/create HTTP/1.1\r\nHost: h.test\r\nContent-Type: application/json\r\n' +
    `Content-Length: ${body.length}\r\n\r\n${body}`
  const transaction = vi.spyOn(t.ctx.database, 'transaction')
  // 2 MB each, together more than the budget.
  for (let nth = 1; nth <= 40; nth++) {
    const release = await holdWrites(t)
    await requestAndDisconnect(t, like, () => transaction.mock.calls.length === nth)
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

  const proxy = { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' }

  test('behind a trusted proxy is told from others by the address that the proxy appends', async () => {
    await using t = await appWithLargeResponses(proxy)
    expect(await fill(t, (nth) => ({ forwardedFor: `192.0.2.${nth}, 198.51.100.7, 10.1.2.3` }))).toBe(2)
    expect(await receiveCode(t, 'other.test', { forwardedFor: '203.0.113.9' })).toBe(1000)
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
