import { afterEach, expect, test, vi } from 'vitest'
import { startTestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { countBuilds, topics } from './floods.fixtures.ts'

// What one client requests does not evict what all others read.

afterEach(() => vi.restoreAllMocks())

test('a limit above the maximum is the same page as the maximum, for every list', async () => {
  await using t = await startTestApp()
  await make.topic(t)
  await make.event(t)
  await make.participant(t)
  await make.comment(t, { topic_id: 1 })
  await t.client.addFeedback({ created_by: 1 })
  const read = countBuilds(t)
  const lists = ['newsfeeds/topics', 'newsfeeds/topics/1/comments', 'program/list', 'participants', 'feedback/list']
  for (const list of lists) {
    expect(await read(`/api/${list}/0/1000`), list).toBe(1)
    for (const limit of [1_001, 5_000, Number.MAX_SAFE_INTEGER])
      expect(await read(`/api/${list}/0/${limit}`), list).toBe(0)
  }
})

test('a page past the end takes no place, and an empty list does', async () => {
  await using t = await startTestApp()
  const read = countBuilds(t)
  expect([await read(topics(0, 20)), await read(topics(0, 20))]).toEqual([1, 0])
  await make.topic(t)
  for (const path of [topics(1, 20), topics(9_999, 20), topics(3, 0), '/api/feedback/list/0/20/999'])
    expect([await read(path), await read(path)], path).toEqual([1, 1])
})
