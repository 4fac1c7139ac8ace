import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { samplePaths } from './sample-paths.ts'

test('a backup compares the ends of each list, and the oldest and the newest record with the first page of its lists', async () => {
  await using t = await startTestApp()
  for (let nth = 0; nth < 60; nth++) await make.topic(t)
  for (let nth = 0; nth < 70; nth++) await make.comment(t, { topic_id: nth < 10 ? 1 : 60 })
  const paths = await samplePaths(t.ctx.database.read)
  expect(paths.filter((path) => path.includes('/newsfeeds/'))).toEqual([
    '/api/newsfeeds/topics/10/50',
    '/api/newsfeeds/topics/0/50',
    '/api/newsfeeds/topics/1/details',
    '/api/newsfeeds/topics/60/details',
    '/api/newsfeeds/topics/1/comments/0/50',
    '/api/newsfeeds/topics/60/comments/0/50',
    '/api/newsfeeds/comments/1/details',
    '/api/newsfeeds/comments/70/details',
  ])
})
