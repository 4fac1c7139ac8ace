import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/app.ts'
import { inCommand } from '../../../../test/in-command.ts'
import * as make from '../../../../test/make.ts'
import type { Topic } from '../../../contract/newsfeed.ts'
import type { CommentId, TopicId } from '../../core/ids.ts'
import { restoreComment } from './comments.ts'
import { countTopics, restoreTopic } from './topics.ts'

test('a participant posts a topic, and it is in the list and in its details with its author', async () => {
  await using t = await startTestApp()
  const ana = await make.participant(t, { photo: 'photos/ana.jpg' })

  const created = await t.client.createTopic({ name: 'Lunch is served', body: 'Main hall', created_by: ana })

  expect(created.NewsFeed).toEqual([
    {
      id: '1',
      author: { id: String(ana), name: 'Ana Cruz', designation: 'Engineer', photoUrl: `${t.url}/photos/ana.jpg` },
      content: {
        header: 'Lunch is served',
        body: 'Main hall',
        uploaded_files: [],
        dateCreated: '2030-05-01 09:00:00',
      },
      likes: [],
      comments: [],
    },
  ])
  expect(await t.client.getTopic({ topic_id: 1 })).toEqual(created)
  expect(await t.client.listTopics({ offset: 0, limit: 10 })).toEqual(created)
})

test('the author of a topic by an unknown participant has a single space as its name', async () => {
  await using t = await startTestApp()
  const topic = await make.topic(t, { created_by: 999 })
  expect(topic.author).toEqual({ id: null, name: ' ', designation: null, photoUrl: null })
})

test('topics are listed newest first, a page at a time', async () => {
  await using t = await startTestApp()
  for (const name of ['one', 'two', 'three']) await make.topic(t, { name })
  const headers = async (offset: number, limit: number) =>
    (await t.client.listTopics({ offset, limit })).NewsFeed.map((topic) => topic.content.header)

  expect(await headers(0, 2)).toEqual(['three', 'two'])
  expect(await headers(2, 2)).toEqual(['one'])
  expect(await headers(3, 2)).toEqual([])
  expect(await headers(0, 0)).toEqual([])
  expect(await headers(0, 5_000)).toEqual(['three', 'two', 'one'])
})

test('topics show their latest 100 comments in a list and more in their details', async () => {
  await using t = await startTestApp()
  for (const topic_id of [1, 2]) {
    await make.topic(t)
    for (let n = 1; n <= 104; n++) await make.comment(t, { topic_id, comment: `comment ${n}` })
  }
  await t.client.deleteComment({ comment_id: 103 })

  const textsOf = ({ comments }: Topic) => comments.map(({ comment }) => comment)
  const latest = Array.from({ length: 104 }, (_, index) => `comment ${index + 1}`)
  const shown = [latest.slice(-100), latest.toSpliced(102, 1).slice(-100)]
  expect((await t.client.listTopics({ offset: 0, limit: 2 })).NewsFeed.map(textsOf)).toEqual(shown)
  expect((await t.client.listTopics({ offset: 1, limit: 1 })).NewsFeed.map(textsOf)).toEqual([shown[1]])
  const details = make.only((await t.client.getTopic({ topic_id: 1 })).NewsFeed)
  expect(textsOf(details)).toEqual(latest.toSpliced(102, 1))
})

// A page of one topic, of few and of many take different queries.
test.each([2, 51])('each of %i topics in a list shows what it shows alone and in its details', async (count) => {
  await using t = await startTestApp()
  const [ana, ben] = [await make.participant(t), await make.participant(t, { first_name: 'Ben' })]
  const uploaded_files = ['R3JlYXQh', 'R29vZCE='].map((data) => ({ name: 'slides.txt', data }))
  for (let topic_id = 1; topic_id <= count; topic_id++) {
    await make.topic(t, { name: `topic ${topic_id}`, created_by: ana, uploaded_files })
    for (const created_by of [ben, ana]) await t.client.likeTopic({ topic_id, created_by })
  }
  for (const comment of ['one', 'two', 'three'])
    for (const topic_id of [1, 2]) await make.comment(t, { topic_id, comment, created_by: ben, uploaded_files })
  const shown = async () => {
    const { NewsFeed } = await t.client.listTopics({ offset: 0, limit: count })
    expect(NewsFeed).toHaveLength(count)
    const [second, first] = NewsFeed.slice(-2)
    for (const [index, topic] of [second, first].entries()) {
      expect(await t.client.listTopics({ offset: count - 2 + index, limit: 1 })).toEqual({ NewsFeed: [topic] })
      expect(await t.client.getTopic({ topic_id: 2 - index })).toEqual({ NewsFeed: [topic] })
    }
    return [first, second].map((topic) => ({
      files: topic?.content.uploaded_files.length,
      likes: topic?.likes.map(({ name }) => name),
      comments: topic?.comments.map(({ comment, uploaded_files }) => [comment, uploaded_files.length]),
    }))
  }
  const files = 2
  const likes = ['Ben Cruz', 'Ana Cruz']
  const comments = [
    ['one', 2],
    ['two', 2],
    ['three', 2],
  ]
  expect(await shown()).toEqual([
    { files, likes, comments },
    { files, likes, comments },
  ])

  const [topic] = (await t.client.getTopic({ topic_id: 1 })).NewsFeed
  await t.client.deleteFile({ file_Id: Number(topic?.content.uploaded_files[0]?.id) })
  await t.client.deleteFile({ file_Id: Number(topic?.comments[0]?.uploaded_files[1]?.id) })
  await t.client.deleteComment({ comment_id: Number(topic?.comments[1]?.id) })
  await t.client.unlikeTopic({ topic_id: 1, participant_id: ben })
  expect(await shown()).toEqual([
    {
      files: 1,
      likes: ['Ana Cruz'],
      comments: [
        ['one', 1],
        ['three', 2],
      ],
    },
    { files, likes, comments },
  ])
})

test('an update changes header and body, but not author and date, nor the body if it is absent', async () => {
  await using t = await startTestApp()
  const ana = await make.participant(t)
  const before = await make.topic(t, { created_by: ana, body: 'Main hall' })
  t.advance(60_000)

  const change = { topic_id: 1, name: 'Lunch is late', created_by: 7, updated_by: 8 }
  const renamed = make.only((await t.client.updateTopic(change)).NewsFeed)
  expect(renamed).toEqual({ ...before, content: { ...before.content, header: 'Lunch is late' } })

  const emptied = make.only((await t.client.updateTopic({ ...change, body: '' })).NewsFeed)
  expect(emptied.content.body).toBe('')
})

test('a deleted topic and its comments are missing from every response, and it cannot be deleted twice', async () => {
  await using t = await startTestApp()
  await make.topic(t)
  const comment = await make.comment(t, { topic_id: 1 })

  expect(await t.client.deleteTopic({ topic_id: 1 })).toEqual({ message: 'Deleted Topic Id: 1' })

  expect(await t.client.listTopics({ offset: 0, limit: 10 })).toEqual({ NewsFeed: [] })
  expect(await make.codeOf(t.client.call('getTopic', { topic_id: 1 }))).toBe(4040)
  expect(await make.codeOf(t.client.call('updateTopic', { topic_id: 1, name: 'x' }))).toBe(4040)
  expect(await make.codeOf(t.client.call('deleteTopic', { topic_id: 1 }))).toBe(4040)
  expect(await make.codeOf(t.client.call('createComment', { topic_id: 1, comment: 'x', created_by: 1 }))).toBe(4040)
  expect(await make.codeOf(t.client.call('listComments', { topic_id: 1, offset: 0, limit: 1 }))).toBe(4040)
  expect(await make.codeOf(t.client.call('getComment', { comment_id: Number(comment.id) }))).toBe(4040)
})

test('the row of a deleted topic remains, with the time of deletion, so that an organizer can restore it', async () => {
  await using t = await startTestApp()
  await make.topic(t)
  t.advance(1_000)
  await t.client.deleteTopic({ topic_id: 1 })
  const row = await t.ctx.database.read.selectFrom('topic').selectAll().executeTakeFirstOrThrow()
  expect(row).toMatchObject({ header: 'Lunch is served', is_deleted: 1, deleted_at: t.ctx.clock() })
})

test('a topic or comment that an operator restores is shown and counted again, and only one that was deleted', async () => {
  await using t = await startTestApp()
  await make.topic(t)
  await make.comment(t, { topic_id: 1 })
  const shown = () => t.client.listTopics({ offset: 0, limit: 10 })
  const before = await shown()
  const count = () => countTopics(t.ctx.database.read)
  const restore = () =>
    inCommand(t, async (scope) => [
      await restoreTopic(scope, 1 as TopicId),
      await restoreComment(scope, 1 as CommentId),
    ])
  expect(await restore()).toEqual([false, undefined])
  await t.client.deleteComment({ comment_id: 1 })
  await t.client.deleteTopic({ topic_id: 1 })
  expect([await shown(), await count()]).toEqual([{ NewsFeed: [] }, 0])
  expect(await restore()).toEqual([true, 1])
  expect([await shown(), await count()]).toEqual([before, 1])
  expect(await restore()).toEqual([false, undefined])
  const log = await t.ctx.database.read.selectFrom('change').select('kind').orderBy('id').execute()
  expect(log.slice(-2).map(({ kind }) => kind)).toEqual(['topic.restored', 'comment.restored'])
})

test('all invalid fields of a topic are reported together, and nothing is stored', async () => {
  await using t = await startTestApp()
  const { envelope } = await t.client.call('createTopic', { name: '  ', body: 'a\0b', created_by: -1 })
  expect(envelope).toMatchObject({
    response_code: 4220,
    data: {
      reason: 'VALIDATION_FAILED',
      fields: [
        { field: 'name', in: 'body', reason: 'BLANK' },
        { field: 'body', in: 'body', reason: 'NOT_TEXT' },
        { field: 'created_by', in: 'body', reason: 'NOT_AN_INTEGER' },
      ],
    },
  })
  expect(await t.client.listTopics({ offset: 0, limit: 10 })).toEqual({ NewsFeed: [] })
})

test('every write adds a row to the change log, and a failed one adds none', async () => {
  await using t = await startTestApp()
  await make.topic(t, { created_by: 5 })
  await t.client.updateTopic({ topic_id: 1, name: 'x', updated_by: 6 })
  await t.client.call('updateTopic', { topic_id: 2, name: 'x' })
  await t.client.deleteTopic({ topic_id: 1 })
  const log = await t.ctx.database.read
    .selectFrom('change')
    .select(['kind', 'record_id', 'actor_id'])
    .orderBy('id')
    .execute()
  expect(log).toEqual([
    { kind: 'topic.created', record_id: 1, actor_id: 5 },
    { kind: 'topic.updated', record_id: 1, actor_id: 6 },
    { kind: 'topic.deleted', record_id: 1, actor_id: 0 },
  ])
})
