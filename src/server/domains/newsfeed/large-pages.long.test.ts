import { describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import type { CommentId, ParticipantId, TopicId } from '../../core/ids.ts'
import type { NewRow } from '../../storage/db/tables.ts'

/** Inserts rows directly, without requests. */
async function store<T extends 'topic' | 'comment' | 'topic_like' | 'file'>(t: TestApp, table: T, rows: NewRow<T>[]) {
  const batchSize = 500
  await t.ctx.database.transaction(async (tx) => {
    for (let start = 0; start < rows.length; start += batchSize)
      await tx
        .insertInto(table)
        .values(rows.slice(start, start + batchSize) as never)
        .execute()
  })
}

const topics = (count: number): NewRow<'topic'>[] =>
  Array.from({ length: count }, () => ({ header: 'Lunch is served', created_at: 1 }))

/** Comments on the topics from 1 to `topics`, `each` per topic, all by different authors. */
const comments = (topics: number, each: number, comment: string): NewRow<'comment'>[] =>
  Array.from({ length: topics * each }, (_, index) => ({
    topic_id: ((index % topics) + 1) as TopicId,
    comment,
    created_at: 1,
    created_by: (index + 1) as ParticipantId,
  }))

const embedded = async (t: TestApp, limit: number) =>
  (await t.client.listTopics({ offset: 0, limit })).NewsFeed.map((topic) => topic.comments.length)

const each = <V>(count: number, value: V) => Array.from({ length: count }, () => value)

describe('a page of topics embeds the same number of the latest comments of each', () => {
  test('at most 5,000 in all: 100 each of 50 topics, 14 each of 340', async () => {
    await using t = await startTestApp()
    await store(t, 'topic', topics(340))
    await store(t, 'comment', comments(340, 101, 'On my way'))
    expect(await embedded(t, 50)).toEqual(each(50, 100))
    expect(await embedded(t, 340)).toEqual(each(340, 14))
    const [latest] = (await t.client.listTopics({ offset: 0, limit: 340 })).NewsFeed
    expect(latest?.comments.map(({ id }) => Number(id))).toEqual(each(14, 0).map((_, n) => 340 * (101 - 13 + n)))
  })

  test('at most 100 of each if few topics have many', async () => {
    await using t = await startTestApp()
    await store(t, 'topic', topics(1_000))
    await store(t, 'comment', comments(40, 110, 'On my way'))
    const counts = await embedded(t, 1_000)
    expect(counts.filter((count) => count > 0)).toEqual(each(40, 100))
  })

  test('at most 5,000,000 characters in all', async () => {
    await using t = await startTestApp()
    await store(t, 'topic', topics(30))
    await store(t, 'comment', comments(30, 50, '\u0001'.repeat(10_000)))
    expect(await embedded(t, 30)).toEqual(each(30, 16))
    expect(await embedded(t, 10)).toEqual(each(10, 50))
  })
})

test('the largest possible page is served', async () => {
  await using t = await startTestApp()
  const text = '\u0001'.repeat(10_000)
  await store(
    t,
    'topic',
    topics(1_000).map((topic) => ({ ...topic, body: text })),
  )
  await store(t, 'comment', comments(500, 2, text))
  // The latest comments of the topics are the last 500.
  const file = { link: `https://a/${'😀'.repeat(2_038)}`, file_type: 'image/jpeg', created_at: 1 }
  const files = each(5_000, file)
  const ofTopics = files.map((file, n) => ({ ...file, topic_id: ((n % 1_000) + 1) as TopicId }))
  const ofComments = files.map((file, n) => ({ ...file, comment_id: (501 + (n % 500)) as CommentId }))
  await store(t, 'file', ofTopics)
  await store(t, 'file', ofComments)
  const { NewsFeed } = await t.client.listTopics({ offset: 0, limit: 1_000 })
  expect(NewsFeed.map((topic) => topic.comments.length)).toEqual([...each(500, 0), ...each(500, 1)])
  const filesOf = (owners: { uploaded_files: unknown[] }[]) => owners.map((owner) => owner.uploaded_files.length)
  expect(filesOf(NewsFeed.map((topic) => topic.content))).toEqual(each(1_000, 5))
  expect(filesOf(NewsFeed.flatMap((topic) => topic.comments))).toEqual(each(500, 10))
})
