import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import type { ParticipantId, TopicId } from '../../core/ids.ts'

const people = 600

/** The first ten topics are liked by everyone, in the order of their ids, the eleventh by the first two. */
async function startWithLikes() {
  const t = await startTestApp()
  const numbers = Array.from({ length: people }, (_, index) => index + 1)
  await t.ctx.database.transaction((tx) =>
    tx
      .insertInto('participant')
      .values(numbers.map((n) => ({ first_name: 'Ana', last_name: String(n), created_at: 1 })))
      .execute(),
  )
  for (let nth = 0; nth < 11; nth++) await make.topic(t)
  const like = (topic_id: number, participant_id: number) => ({
    topic_id: topic_id as TopicId,
    participant_id: participant_id as ParticipantId,
    created_at: 1,
  })
  for (let topic = 1; topic <= 11; topic++)
    await t.ctx.database.transaction((tx) =>
      tx
        .insertInto('topic_like')
        .values(numbers.slice(0, topic === 11 ? 2 : people).map((n) => like(topic, n)))
        .execute(),
    )
  return t
}

test('a page of topics shows at most 5,000 likes, the same number of the latest of each, oldest first', async () => {
  await using t = await startWithLikes()
  const likesOf = async (offset: number, limit: number) =>
    (await t.client.listTopics({ offset, limit })).NewsFeed.map(({ likes }) => likes.map(({ id }) => Number(id)))
  const latest = (count: number) => Array.from({ length: count }, (_, index) => people - count + 1 + index)
  const [few, ...liked] = await likesOf(0, 11)
  expect(few).toEqual([1, 2])
  // Ten times 499 and two are within the limit, ten times 500 and two are not.
  expect(liked).toEqual(Array.from({ length: 10 }, () => latest(499)))
  // Eight topics have 4,800 likes.
  expect(await likesOf(3, 8)).toEqual(Array.from({ length: 8 }, () => latest(people)))
})

test('a like is in the page at once, also if the page shows only the latest', async () => {
  await using t = await startWithLikes()
  const newcomer = await make.participant(t, { first_name: 'Ben' })
  await t.client.likeTopic({ topic_id: 1, created_by: newcomer })
  const { NewsFeed } = await t.client.listTopics({ offset: 0, limit: 11 })
  expect(NewsFeed.at(-1)?.likes.at(-1)?.name).toBe('Ben Cruz')
})
