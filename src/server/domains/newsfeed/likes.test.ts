import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import type { ParticipantId, TopicId } from '../../core/ids.ts'

/** The names in the details of a topic. The list, which uses another query, must show the same. */
async function namesOfLikes(t: TestApp, topic_id = 1): Promise<string[]> {
  const { likes } = make.only((await t.client.getTopic({ topic_id })).NewsFeed)
  const { NewsFeed } = await t.client.listTopics({ offset: 0, limit: 20 })
  expect(NewsFeed.find(({ id }) => id === String(topic_id))?.likes).toEqual(likes)
  return likes.map(({ name }) => name)
}

test('a participant likes a topic and is shown on it like an author', async () => {
  await using t = await startTestApp()
  const ana = await make.participant(t, { photo: 'photos/ana.jpg' })
  await make.topic(t)

  const liked = await t.client.likeTopic({ topic_id: 1, created_by: ana })

  const author = { id: '1', name: 'Ana Cruz', designation: 'Engineer', photoUrl: `${t.url}/photos/ana.jpg` }
  expect(make.only(liked.NewsFeed).likes).toEqual([author])
  expect(await t.client.getTopic({ topic_id: 1 })).toEqual(liked)
  expect(await t.client.listTopics({ offset: 0, limit: 1 })).toEqual(liked)
})

test('likes are shown on their own topic, oldest first, regardless of the ids of the participants', async () => {
  await using t = await startTestApp()
  const [ana, ben, cleo] = [
    await make.participant(t),
    await make.participant(t, { first_name: 'Ben' }),
    await make.participant(t, { first_name: 'Cleo' }),
  ]
  await make.topic(t)
  await make.topic(t)
  for (const created_by of [cleo, ana]) await t.client.likeTopic({ topic_id: 1, created_by })
  await t.client.likeTopic({ topic_id: 2, created_by: ben })

  expect(await namesOfLikes(t, 1)).toEqual(['Cleo Cruz', 'Ana Cruz'])
  expect(await namesOfLikes(t, 2)).toEqual(['Ben Cruz'])
})

test('liking twice is one like, even concurrently', async () => {
  await using t = await startTestApp()
  await make.participant(t)
  await make.topic(t)
  const twice = [1, 2].map(() => make.codeOf(t.client.call('likeTopic', { topic_id: 1, created_by: 1 })))
  expect(await Promise.all(twice)).toEqual([1000, 1000])
  await t.client.likeTopic({ topic_id: 1, created_by: 1 })
  expect(await namesOfLikes(t)).toEqual(['Ana Cruz'])
})

test('a like that is withdrawn is removed, and a new one comes last', async () => {
  await using t = await startTestApp()
  await make.participant(t)
  await make.participant(t, { first_name: 'Ben' })
  await make.topic(t)
  await make.topic(t)
  await t.client.likeTopic({ topic_id: 1, created_by: 1 })
  await t.client.likeTopic({ topic_id: 1, created_by: 2 })

  const { envelope } = await t.client.call('unlikeTopic', { topic_id: 1, participant_id: 1 })
  expect(envelope).toMatchObject({ response_code: 2000, data: { message: 'Deleted Like Id: 1' } })
  expect(await namesOfLikes(t)).toEqual(['Ben Cruz'])

  await t.client.likeTopic({ topic_id: 1, created_by: 1 })
  expect(await namesOfLikes(t)).toEqual(['Ben Cruz', 'Ana Cruz'])

  await t.client.unlikeTopic({ topic_id: 1, participant_id: 1 })
  expect(await namesOfLikes(t)).toEqual(['Ben Cruz'])
})

test('the like of a participant who was deleted has a single space as its name, and can be removed', async () => {
  await using t = await startTestApp()
  await make.topic(t)
  await make.topic(t)
  const like = { topic_id: 1 as TopicId, participant_id: 999 as ParticipantId, created_at: 1 }
  await t.ctx.database.transaction((tx) => tx.insertInto('topic_like').values(like).execute())
  const liked = make.only((await t.client.getTopic({ topic_id: 1 })).NewsFeed)
  expect(liked.likes).toEqual([{ id: null, name: ' ', designation: null, photoUrl: null }])
  expect(await namesOfLikes(t)).toEqual([' '])
  expect(await t.client.unlikeTopic({ topic_id: 1, participant_id: 999 })).toEqual({ message: 'Deleted Like Id: 999' })
})

test('a like by an unknown participant is refused, and stores nothing', async () => {
  await using t = await startTestApp()
  await make.topic(t)
  const { envelope } = await t.client.call('likeTopic', { topic_id: 1, created_by: 999 })
  expect(envelope).toMatchObject({ response_code: 4040, data: { reason: 'PARTICIPANT_NOT_FOUND' } })
  expect(await namesOfLikes(t)).toEqual([])
  expect(await t.ctx.database.read.selectFrom('topic_like').select('id').execute()).toEqual([])
})

test('the response to a like has the latest 100 comments, as in a list', async () => {
  await using t = await startTestApp()
  await make.participant(t)
  await make.topic(t)
  for (let nth = 1; nth <= 101; nth++) await make.comment(t, { topic_id: 1, comment: `Comment ${nth}` })
  const liked = await t.client.likeTopic({ topic_id: 1, created_by: 1 })
  expect(make.only(liked.NewsFeed).comments.map(({ comment }) => comment)).toEqual(
    Array.from({ length: 100 }, (_, index) => `Comment ${index + 2}`),
  )
  expect(await t.client.listTopics({ offset: 0, limit: 1 })).toEqual(liked)
})

test('an unknown topic, an unknown like and a withdrawn like are not found', async () => {
  await using t = await startTestApp()
  await make.participant(t)
  await make.topic(t)
  await t.client.likeTopic({ topic_id: 1, created_by: 1 })
  await t.client.unlikeTopic({ topic_id: 1, participant_id: 1 })
  const missing = [
    ['TOPIC_NOT_FOUND', t.client.call('likeTopic', { topic_id: 9, created_by: 1 })],
    ['TOPIC_NOT_FOUND', t.client.call('unlikeTopic', { topic_id: 9, participant_id: 1 })],
    ['LIKE_NOT_FOUND', t.client.call('unlikeTopic', { topic_id: 1, participant_id: 1 })],
    ['LIKE_NOT_FOUND', t.client.call('unlikeTopic', { topic_id: 1, participant_id: 2 })],
  ] as const
  for (const [reason, response] of missing)
    expect((await response).envelope).toMatchObject({ response_code: 4040, data: { reason } })
})

test('a deleted topic cannot be liked or unliked', async () => {
  await using t = await startTestApp()
  await make.participant(t)
  await make.topic(t)
  await t.client.likeTopic({ topic_id: 1, created_by: 1 })
  await t.client.deleteTopic({ topic_id: 1 })
  expect(await make.codeOf(t.client.call('likeTopic', { topic_id: 1, created_by: 2 }))).toBe(4040)
  expect(await make.codeOf(t.client.call('unlikeTopic', { topic_id: 1, participant_id: 1 }))).toBe(4040)
})

test.each([{}, { created_by: 0 }, { created_by: 'Ana' }])(
  'a like without a valid participant is rejected: %j',
  async (body) => {
    await using t = await startTestApp()
    await make.topic(t)
    const response = await make.send(t, 'POST', '/api/newsfeeds/topics/1/likes/create', JSON.stringify(body))
    expect(response).toMatchObject({ response_code: 4220, data: { fields: [{ field: 'created_by', in: 'body' }] } })
    expect(await namesOfLikes(t)).toEqual([])
  },
)

test('the change log has a row for each like and unlike that had an effect', async () => {
  await using t = await startTestApp()
  await make.participant(t)
  await make.topic(t)
  for (let n = 0; n < 2; n++) await t.client.likeTopic({ topic_id: 1, created_by: 1 })
  for (let n = 0; n < 2; n++) await t.client.call('unlikeTopic', { topic_id: 1, participant_id: 1 })
  const log = await t.ctx.database.read
    .selectFrom('change')
    .select(['kind', 'record_id', 'parent_id', 'actor_id'])
    .where('kind', 'like', 'topic.%like%')
    .orderBy('id')
    .execute()
  expect(log).toEqual([
    { kind: 'topic.liked', record_id: 1, parent_id: 1, actor_id: 1 },
    { kind: 'topic.unliked', record_id: 1, parent_id: 1, actor_id: 1 },
  ])
})
