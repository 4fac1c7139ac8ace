import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test, vi } from 'vitest'
import { startOfTest, type TestApp, testApp } from '../../../test/app.ts'
import { holdWrites } from '../../../test/databases.ts'
import * as make from '../../../test/make.ts'
import type { TopicId } from '../ids.ts'

/** Topics whose every character takes six bytes in JSON: a page of them is 15 MB. */
const topics = 250

const soon = { interval: 5, timeout: 10_000 }

const allTopics = { offset: 0, limit: topics }

async function appWithLargePages(): Promise<TestApp> {
  const t = await testApp()
  const row = { header: 'x', body: '\u0001'.repeat(10_000), created_at: startOfTest }
  await t.ctx.database.transaction(async (tx) => {
    for (let nth = 0; nth < topics; nth++) await tx.insertInto('topic').values(row).execute()
    // Its details alone are 2 MB.
    const comment = { topic_id: 1 as TopicId, comment: row.body, created_at: startOfTest }
    for (let nth = 0; nth < 30; nth++) await tx.insertInto('comment').values(comment).execute()
  })
  return t
}

/** Asks for all topics under a name of its own, by which it is a page of its own, and takes nothing of it. */
async function askAndWait({ url }: TestApp, host: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(`GET /api/newsfeeds/topics/0/${topics} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  await once(socket, 'readable')
  return socket
}

test('large answers are refused while too much is on its way, and small ones are given', async () => {
  await using t = await appWithLargePages()
  // 15 MB each: the fifth is beyond what may be on its way, so that none comes after it.
  const waiting = []
  for (let nth = 0; nth < 5; nth++) waiting.push(await askAndWait(t, `h${nth}.test`))
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

/** Asks, and is gone as soon as that has `begun`. */
async function askAndLeave({ url, client }: TestApp, request: string, begun: () => boolean): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write(request)
  await expect.poll(begun, soon).toBe(true)
  socket.resetAndDestroy()
  await once(socket, 'close')
  // The server has heard of it then.
  await client.listTopics({ offset: 0, limit: 1 })
}

test('what nobody is left to take is not on its way', async () => {
  await using t = await appWithLargePages()
  const body = '{"created_by":7}'
  const like =
    'POST /api/newsfeeds/topics/1/likes/create HTTP/1.1\r\nHost: h.test\r\nContent-Type: application/json\r\n' +
    `Content-Length: ${body.length}\r\n\r\n${body}`
  const transaction = vi.spyOn(t.ctx.database, 'transaction')
  // 2 MB each, together more than may be on its way.
  for (let nth = 1; nth <= 40; nth++) {
    const release = await holdWrites(t)
    await askAndLeave(t, like, () => transaction.mock.calls.length === nth)
    await release()
    await transaction.mock.results.at(-1)?.value
  }
  expect(await make.codeOf(t.client.call('getTopic', { topic_id: 1 }))).toBe(1000)
})

test('what several are taking counts once, and a page that is kept is not given either while too much is on its way', async () => {
  await using t = await appWithLargePages()
  const take = () => askAndWait(t, 'h.test')
  // The same bytes, 15 MB of them, ten times.
  for (let nth = 0; nth < 10; nth++) await take()
  const given = async () => /"response_code":(\d+)/.exec(String((await take()).read()))?.[1]
  expect(await given()).toBe('1000')
  // Each second has bytes of its own.
  for (let second = 0; second < 5; second++) {
    t.advance(1_000)
    await take()
  }
  expect(await given()).toBe('5030')
})
