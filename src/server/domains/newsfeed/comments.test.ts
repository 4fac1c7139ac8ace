import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { setUpSharedApp } from '../../../../test/shared-app.ts'
import type { TopicId } from '../../core/ids.ts'

test('a participant comments on a topic, and the comment is in its details, in the list and in the topic', async () => {
  await using t = await startTestApp()
  const ana = await make.participant(t, { photo: 'https://cdn.summit.example/ana.jpg' })
  await make.topic(t)
  t.advance(61_000)

  const created = await t.client.createComment({ topic_id: 1, comment: 'On my way!\n…soon', created_by: ana })

  const author = { id: '1', name: 'Ana Cruz', designation: 'Engineer', photoUrl: 'https://cdn.summit.example/ana.jpg' }
  const shared = { id: '1', comment: 'On my way!\n…soon', author, uploaded_files: [] }
  expect(created).toEqual({ comments: [{ ...shared, created_by: '1' }] })
  expect(await t.client.getComment({ comment_id: 1 })).toEqual(created)
  expect(await t.client.listComments({ topic_id: 1, offset: 0, limit: 10 })).toEqual(created)
  const topic = make.only((await t.client.getTopic({ topic_id: 1 })).NewsFeed)
  expect(topic.comments).toEqual([{ ...shared, created_at: '2030-05-01 09:01:01' }])
})

test('the files of a comment are shown wherever the comment is shown', async () => {
  await using t = await startTestApp()
  await make.topic(t)
  await make.topic(t)
  const file = { name: 'slides.txt', data: 'R3JlYXQh' }
  await make.comment(t, { topic_id: 1 })
  await make.comment(t, { topic_id: 1, uploaded_files: [file, file] })
  await make.comment(t, { topic_id: 2, uploaded_files: [file] })
  const page = { offset: 0, limit: 10 }
  const idsOfFiles = async () => {
    const shown = [
      ...(await t.client.listTopics(page)).NewsFeed.toReversed(),
      ...(await t.client.getTopic({ topic_id: 1 })).NewsFeed,
      await t.client.listComments({ topic_id: 1, ...page }),
      await t.client.getComment({ comment_id: 2 }),
    ]
    return shown.map(({ comments }) => comments.map(({ uploaded_files }) => uploaded_files.map(({ id }) => id)))
  }
  expect(await idsOfFiles()).toEqual([[[], ['1', '2']], [['3']], [[], ['1', '2']], [[], ['1', '2']], [['1', '2']]])
  await t.client.deleteFile({ file_Id: 2 })
  expect(await idsOfFiles()).toEqual([[[], ['1']], [['3']], [[], ['1']], [[], ['1']], [['1']]])
  await t.client.deleteFile({ file_Id: 1 })
  expect(await idsOfFiles()).toEqual([[[], []], [['3']], [[], []], [[], []], [[]]])
})

test('a comment by an unknown participant has no author, but its created_by', async () => {
  await using t = await startTestApp()
  await make.topic(t)
  const unknownAuthor = { id: null, name: ' ', designation: null, photoUrl: null }
  expect(await make.comment(t, { topic_id: 1, created_by: 999 })).toMatchObject({
    author: unknownAuthor,
    created_by: '999',
  })
  expect(await make.comment(t, { topic_id: 1, created_by: 0 })).toMatchObject({
    author: unknownAuthor,
    created_by: '0',
  })
})

test('a participant added later is the author of the comments under that id', async () => {
  await using t = await startTestApp()
  await make.topic(t)
  await make.comment(t, { topic_id: 1, created_by: 1 })
  await make.participant(t)
  const { author } = make.only((await t.client.getComment({ comment_id: 1 })).comments)
  expect(author).toMatchObject({ id: '1', name: 'Ana Cruz' })
})

test('comments of one topic are listed oldest first, a page at a time, without those of another', async () => {
  await using t = await startTestApp()
  await make.topic(t)
  await make.topic(t)
  for (const comment of ['one', 'two', 'three']) {
    await make.comment(t, { topic_id: 1, comment })
    await make.comment(t, { topic_id: 2, comment: `not ${comment}` })
  }
  const texts = async (offset: number, limit: number) =>
    (await t.client.listComments({ topic_id: 1, offset, limit })).comments.map(({ comment }) => comment)

  expect(await texts(0, 2)).toEqual(['one', 'two'])
  expect(await texts(1, 1)).toEqual(['two'])
  expect(await texts(2, 2)).toEqual(['three'])
  expect(await texts(3, 2)).toEqual([])
  expect(await texts(Number.MAX_SAFE_INTEGER, 2)).toEqual([])
  expect(await texts(0, 0)).toEqual([])
  expect(await texts(0, 5_000)).toEqual(['one', 'two', 'three'])
})

test('a page has at most 1,000 comments, even if more are requested', async () => {
  await using t = await startTestApp()
  await make.topic(t)
  const rows = Array.from({ length: 1_001 }, () => ({ topic_id: 1 as TopicId, comment: 'x', created_at: 1 }))
  await t.ctx.database.transaction((tx) => tx.insertInto('comment').values(rows).execute())
  const ids = async (offset: number) =>
    (await t.client.listComments({ topic_id: 1, offset, limit: 1_001 })).comments.map(({ id }) => Number(id))

  expect(await ids(0)).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 1))
  expect(await ids(1_000)).toEqual([1_001])
  // A topic's details embed the latest 1,000.
  const embedded = make.only((await t.client.getTopic({ topic_id: 1 })).NewsFeed).comments
  expect([embedded.length, embedded.at(0)?.id, embedded.at(-1)?.id]).toEqual([1_000, '2', '1001'])
})

test('an update by another participant changes the text, but not the author, date and position', async () => {
  await using t = await startTestApp()
  const ana = await make.participant(t)
  const ben = await make.participant(t, { first_name: 'Ben' })
  await make.topic(t)
  const before = await make.comment(t, { topic_id: 1, comment: 'On my way', created_by: ana })
  await make.comment(t, { topic_id: 1, comment: 'Me too' })
  t.advance(60_000)

  const change = { comment_id: 1, comment: 'Not coming', created_by: ben, updated_by: ben }
  const updated = make.only((await t.client.updateComment(change)).comments)

  expect(updated).toEqual({ ...before, comment: 'Not coming' })
  const topic = make.only((await t.client.getTopic({ topic_id: 1 })).NewsFeed)
  expect(topic.comments.map(({ comment }) => comment)).toEqual(['Not coming', 'Me too'])
  expect(topic.comments[0]?.created_at).toBe('2030-05-01 09:00:00')
  const row = await t.ctx.database.read.selectFrom('comment').selectAll().orderBy('id').executeTakeFirst()
  expect(row).toMatchObject({ created_by: ana, modified_by: ben, modified_at: t.ctx.clock() })
})

test('a deleted comment is missing from every response and cannot be deleted twice; the others remain', async () => {
  await using t = await startTestApp()
  await make.topic(t)
  await make.comment(t, { topic_id: 1, comment: 'one' })
  await make.comment(t, { topic_id: 1, comment: 'two' })
  t.advance(1_000)

  const { envelope } = await t.client.call('deleteComment', { comment_id: 1 })

  expect(envelope).toMatchObject({
    response_code: 2000,
    data: { message: 'Deleted Comment Id: 1' },
    system: { message: 'Redirected', redirect_url: 1002 },
  })
  expect(await make.codeOf(t.client.call('getComment', { comment_id: 1 }))).toBe(4040)
  expect(await make.codeOf(t.client.call('updateComment', { comment_id: 1, comment: 'x' }))).toBe(4040)
  expect(await make.codeOf(t.client.call('deleteComment', { comment_id: 1 }))).toBe(4040)
  const listed = await t.client.listComments({ topic_id: 1, offset: 0, limit: 10 })
  expect(listed.comments.map(({ comment }) => comment)).toEqual(['two'])
  await make.topic(t)
  for (const limit of [1, 2]) {
    const topic = (await t.client.listTopics({ offset: 2 - limit, limit })).NewsFeed.at(-1)
    expect(topic?.comments.map(({ comment }) => comment)).toEqual(['two'])
  }
  const row = await t.ctx.database.read.selectFrom('comment').selectAll().orderBy('id').executeTakeFirst()
  expect(row).toMatchObject({ comment: 'one', is_deleted: 1, deleted_at: t.ctx.clock() })
})

test('comments of a deleted topic cannot be read, changed or deleted', async () => {
  await using t = await startTestApp()
  await make.topic(t)
  await make.comment(t, { topic_id: 1 })
  await t.client.deleteTopic({ topic_id: 1 })
  expect(await make.codeOf(t.client.call('getComment', { comment_id: 1 }))).toBe(4040)
  expect(await make.codeOf(t.client.call('updateComment', { comment_id: 1, comment: 'x' }))).toBe(4040)
  expect(await make.codeOf(t.client.call('deleteComment', { comment_id: 1 }))).toBe(4040)
})

test('an unknown topic or comment fails with its own reason', async () => {
  await using t = await startTestApp()
  const missing = [
    ['TOPIC_NOT_FOUND', t.client.call('listComments', { topic_id: 9, offset: 0, limit: 0 })],
    ['TOPIC_NOT_FOUND', t.client.call('createComment', { topic_id: 9, comment: 'x', created_by: 1 })],
    ['COMMENT_NOT_FOUND', t.client.call('getComment', { comment_id: 9 })],
    ['COMMENT_NOT_FOUND', t.client.call('updateComment', { comment_id: 9, comment: 'x' })],
    ['COMMENT_NOT_FOUND', t.client.call('deleteComment', { comment_id: 9 })],
  ] as const
  for (const [reason, response] of missing)
    expect((await response).envelope).toMatchObject({ response_code: 4040, data: { reason, fields: [] } })
})

describe('a comment that is', () => {
  const app = setUpSharedApp({}, (t) => make.topic(t))

  test.each([
    ['blank', { comment: ' \n\t', created_by: 1 }, [{ field: 'comment', reason: 'BLANK' }]],
    [
      'invisible',
      { comment: '\u200B\u2060\uFE0F\u3164\u2800', created_by: 1 },
      [{ field: 'comment', reason: 'BLANK' }],
    ],
    ['too long', { comment: 'x'.repeat(10_001), created_by: 1 }, [{ field: 'comment', reason: 'TOO_LONG' }]],
    ['with a NUL', { comment: 'a\0b', created_by: 1 }, [{ field: 'comment', reason: 'NOT_TEXT' }]],
    [
      'absent',
      {},
      [
        { field: 'comment', reason: 'REQUIRED' },
        { field: 'created_by', reason: 'REQUIRED' },
      ],
    ],
    ['null', { comment: null, created_by: 1 }, [{ field: 'comment', reason: 'NOT_A_STRING' }]],
  ])('%s is rejected and not stored', async (_, body, fields) => {
    const t = app()
    const path = '/api/newsfeeds/topics/1/comments/create'
    expect(await make.send(t, 'POST', path, JSON.stringify(body))).toMatchObject({
      response_code: 4220,
      data: { fields },
    })
    expect(await t.client.listComments({ topic_id: 1, offset: 0, limit: 10 })).toEqual({ comments: [] })
  })
})

test('a comment may have 10,000 characters of two code units each', async () => {
  await using t = await startTestApp()
  await make.topic(t)
  expect((await make.comment(t, { topic_id: 1, comment: '🍲'.repeat(10_000) })).comment).toHaveLength(20_000)
})

test('every write adds a row to the change log, under the topic', async () => {
  await using t = await startTestApp()
  await make.topic(t)
  await make.topic(t)
  await make.comment(t, { topic_id: 2, created_by: 5 })
  await t.client.updateComment({ comment_id: 1, comment: 'x', updated_by: 6 })
  await t.client.deleteComment({ comment_id: 1 })
  await t.client.call('deleteComment', { comment_id: 1 })
  const log = await t.ctx.database.read
    .selectFrom('change')
    .select(['kind', 'record_id', 'parent_id', 'actor_id'])
    .where('kind', 'like', 'comment.%')
    .orderBy('id')
    .execute()
  expect(log).toEqual([
    { kind: 'comment.created', record_id: 1, parent_id: 2, actor_id: 5 },
    { kind: 'comment.updated', record_id: 1, parent_id: 2, actor_id: 6 },
    { kind: 'comment.deleted', record_id: 1, parent_id: 2, actor_id: 0 },
  ])
})
