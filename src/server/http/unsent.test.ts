import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startOfTest, type TestApp, testApp } from '../../../test/app.ts'
import * as make from '../../../test/make.ts'
import type { TopicId } from '../ids.ts'

/** Topics whose every character takes six bytes in JSON: a page of them is 15 MB. */
const topics = 250

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
  await expect.poll(() => make.codeOf(t.client.call('listTopics', allTopics))).toBe(1000)
  expect(await make.codeOf(t.client.call('likeTopic', like))).toBe(1000)
})
