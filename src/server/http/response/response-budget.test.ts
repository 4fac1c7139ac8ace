import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test, vi } from 'vitest'
import { startOfTest, type TestApp, testApp } from '../../../../test/app.ts'
import { holdWrites } from '../../../../test/databases.ts'
import * as make from '../../../../test/make.ts'
import type { TopicId } from '../../core/ids.ts'

/** Topics whose characters take six bytes each in JSON: a page of all of them is 15 MB. */
const topics = 250

const soon = { interval: 5, timeout: 10_000 }

const allTopics = { offset: 0, limit: topics }

async function appWithLargeResponses(): Promise<TestApp> {
  const t = await testApp()
  const row = { header: 'x', body: '\u0001'.repeat(10_000), created_at: startOfTest }
  await t.ctx.database.transaction(async (tx) => {
    for (let nth = 0; nth < topics; nth++) await tx.insertInto('topic').values(row).execute()
    // The details of the first topic alone are 2 MB.
    const comment = { topic_id: 1 as TopicId, comment: row.body, created_at: startOfTest }
    for (let nth = 0; nth < 30; nth++) await tx.insertInto('comment').values(comment).execute()
  })
  return t
}

/** Requests all topics, and does not read the response. Each Host has a response of its own. */
async function requestWithoutReading({ url }: TestApp, host: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(`GET /api/newsfeeds/topics/0/${topics} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  await once(socket, 'readable')
  return socket
}

test('large responses are rejected while too many bytes wait to be sent, and small ones are sent', async () => {
  await using t = await appWithLargeResponses()
  // 15 MB each: the fifth exceeds the budget, so that no further one is admitted.
  const waiting = []
  for (let nth = 0; nth < 5; nth++) waiting.push(await requestWithoutReading(t, `h${nth}.test`))
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

test('shared bytes count once, and cached responses are rejected, too, while too many bytes wait', async () => {
  await using t = await appWithLargeResponses()
  const request = () => requestWithoutReading(t, 'h.test')
  // The same 15 MB, ten times.
  for (let nth = 0; nth < 10; nth++) await request()
  const receivedCode = async () => /"response_code":(\d+)/.exec(String((await request()).read()))?.[1]
  expect(await receivedCode()).toBe('1000')
  // Each second has its own bytes.
  for (let second = 0; second < 5; second++) {
    t.advance(1_000)
    await request()
  }
  expect(await receivedCode()).toBe('5030')
})
