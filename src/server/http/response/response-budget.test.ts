import { once } from 'node:events'
import { expect } from 'vitest'
import * as make from '../../../../test/make.ts'
import { allTopics, appWithLargeResponses, requestWithoutReading, testOnLinux } from './large-responses.fixtures.ts'

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
