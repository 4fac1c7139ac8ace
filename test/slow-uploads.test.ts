import { request } from 'node:http'
import { expect, test } from 'vitest'
import { testApp } from './app.ts'
import * as make from './make.ts'

test('what took a minute to arrive is of the moment at which it was stored', async () => {
  await using t = await testApp()
  const body = JSON.stringify({ name: 'Slides', created_by: 1 })
  const headers = { 'content-type': 'application/json', 'content-length': body.length }
  const upload = request(`${t.url}/api/newsfeeds/topics/create`, { method: 'POST', headers })
  const answered = new Promise((resolve) => upload.once('response', (response) => resolve(response.resume())))
  upload.write(body.slice(0, 10))
  await make.topic(t, { name: 'Meanwhile' })
  t.advance(60_000)
  upload.end(body.slice(10))
  await answered

  const { NewsFeed } = await t.client.listTopics({ offset: 0, limit: 2 })
  expect(NewsFeed.map(({ content }) => [content.header, content.dateCreated])).toEqual([
    ['Slides', '2030-05-01 09:01:00'],
    ['Meanwhile', '2030-05-01 09:00:00'],
  ])
})
