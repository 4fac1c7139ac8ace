import { expect, test } from 'vitest'
import { setUpSharedAppWithKeys, startAppWithKeys } from '../../../../test/access/app-with-keys.ts'
import { startOfTest, startOtherServer, startTestApp, type TestApp } from '../../../../test/app.ts'
import { pixel } from '../../../../test/contract/examples.ts'
import { inCommand } from '../../../../test/in-command.ts'
import * as make from '../../../../test/make.ts'
import { createClient } from '../../../client/client.ts'
import type { ParticipantId, TopicId } from '../../core/ids.ts'
import { forgetParticipant } from '../privacy/forget-participant.ts'
import { recountTopics } from './topic-block-store.ts'
import { restoreTopic } from './topics.ts'

type Reader = Pick<TestApp, 'client'>

const readFeed = ({ client }: Reader, offset = 0, limit = 100) => client.readFeed({ offset, limit })
const readThread = ({ client }: Reader, topic_id = 1, offset = 0, limit = 100) =>
  client.readThread({ topic_id, offset, limit })

const unknown = { id: null, name: '', designation: '', photo_url: null }

test('a post has its author, files and times, and the numbers of its likes and comments', async () => {
  await using t = await startTestApp({ TIMEZONE: 'Asia/Kolkata' })
  const ana = await make.participant(t, { photo: 'photos/ana.jpg' })
  const ben = await make.participant(t, { first_name: 'Ben' })
  const uploaded_files = [
    { name: 'pixel.png', fileType: 'image/png', data: pixel },
    { name: 'notes.txt', fileType: 'text/plain', data: 'R3LD' },
    'https://cdn.summit.example/plan.png',
  ]
  await make.topic(t, { created_by: ana, body: 'In the main hall', uploaded_files })
  for (const created_by of [ana, ben]) await t.client.likeTopic({ topic_id: 1, created_by })
  await t.client.unlikeTopic({ topic_id: 1, participant_id: ana })
  t.advance(60_000)
  for (const created_by of [ben, ana, ben]) await make.comment(t, { topic_id: 1, created_by })
  await t.client.deleteComment({ comment_id: 2 })

  const author = { id: '1', name: 'Ana Cruz', designation: 'Engineer', photo_url: `${t.url}/photos/ana.jpg` }
  const post = {
    id: '1',
    header: 'Lunch is served',
    body: 'In the main hall',
    created_at: '2030-05-01T14:30:00+05:30',
    edited_at: null,
    author,
    files: [
      {
        ...{ id: '1', url: `${t.url}/api/newsfeeds/files/1/pixel.png`, name: 'pixel.png', media_type: 'image/png' },
        ...{ size: Buffer.from(pixel, 'base64').length, is_image: true },
      },
      {
        ...{ id: '2', url: `${t.url}/api/newsfeeds/files/2/notes.txt`, name: 'notes.txt', media_type: 'text/plain' },
        ...{ size: 3, is_image: false },
      },
      {
        ...{ id: '3', url: 'https://cdn.summit.example/plan.png', name: '', media_type: 'image/png' },
        ...{ size: null, is_image: false },
      },
    ],
    like_count: 1,
    comment_count: 2,
  }
  expect(await readFeed(t)).toEqual({ posts: [post], post_count: 1 })
  const comment = { text: 'On my way', created_at: '2030-05-01T14:31:00+05:30', edited_at: null, files: [] }
  const byBen = { ...comment, author: { ...author, id: '2', name: 'Ben Cruz', photo_url: null } }
  expect(await readThread(t)).toEqual({
    comments: [
      { id: '1', ...byBen },
      { id: '3', ...byBen },
    ],
    post,
  })
})

test('a post and a comment say when they were last changed', async () => {
  await using t = await startTestApp()
  await make.topic(t)
  await make.comment(t, { topic_id: 1 })
  t.advance(60_000)
  await t.client.updateTopic({ topic_id: 1, name: 'Lunch is late' })
  t.advance(60_000)
  await t.client.updateTopic({ topic_id: 1, name: 'Lunch is over' })
  await t.client.updateComment({ comment_id: 1, comment: 'Too late' })
  const edited_at = new Date(startOfTest + 120_000).toISOString().replace('.000Z', '+00:00')
  const { post, comments } = await readThread(t)
  expect(post).toMatchObject({ header: 'Lunch is over', created_at: '2030-05-01T09:00:00+00:00', edited_at })
  expect(comments).toMatchObject([{ text: 'Too late', created_at: '2030-05-01T09:00:00+00:00', edited_at }])
  expect((await readFeed(t)).posts).toEqual([post])
})

test('posts come newest first and comments oldest first, a page at a time, with the number of all', async () => {
  await using t = await startTestApp()
  for (const name of ['one', 'two', 'three']) await make.topic(t, { name })
  for (const comment of ['one', 'two', 'three']) await make.comment(t, { topic_id: 1, comment })
  const page = async (offset: number, limit: number) => {
    const [feed, thread] = [await readFeed(t, offset, limit), await readThread(t, 1, offset, limit)]
    expect([feed.post_count, thread.post.comment_count]).toEqual([3, 3])
    return [feed.posts.map(({ header }) => header), thread.comments.map(({ text }) => text)]
  }
  expect(await page(0, 2)).toEqual([
    ['three', 'two'],
    ['one', 'two'],
  ])
  expect(await page(2, 2)).toEqual([['one'], ['three']])
  expect(await page(3, 2)).toEqual([[], []])
  expect(await page(Number.MAX_SAFE_INTEGER, 2)).toEqual([[], []])
  expect(await page(0, 0)).toEqual([[], []])
})

test('a page of 50 posts has the files, likes and comments of each', async () => {
  await using t = await startTestApp()
  const ana = await make.participant(t)
  for (let n = 1; n <= 51; n++) {
    const uploaded_files = [{ name: `${n}.png`, fileType: 'image/png', data: pixel }]
    await make.topic(t, { name: `Post ${n}`, created_by: ana, ...(n % 2 === 0 && { uploaded_files }) })
    if (n % 3 === 0) await t.client.likeTopic({ topic_id: n, created_by: ana })
    for (let nth = 0; nth < n % 4; nth++) await make.comment(t, { topic_id: n, created_by: ana, uploaded_files })
  }
  const { posts, post_count } = await readFeed(t, 0, 50)
  expect(post_count).toBe(51)
  expect(
    posts.map(({ id, files, ...post }) => [id, files.map(({ name }) => name), post.like_count, post.comment_count]),
  ).toEqual(
    Array.from({ length: 50 }, (_, nth) => {
      const n = 51 - nth
      return [String(n), n % 2 === 0 ? [`${n}.png`] : [], Number(n % 3 === 0), n % 4]
    }),
  )
  const { comments } = await readThread(t, 51)
  expect(comments.map(({ files }) => files.map(({ name, is_image }) => [name, is_image]))).toEqual(
    Array.from({ length: 3 }, () => [['51.png', true]]),
  )
})

test('the number of posts stays exact on a deep page', async () => {
  await using t = await startTestApp()
  await t.ctx.database.transaction(async (tx) => {
    const rows = Array.from({ length: 1_000 }, () => ({ header: 'Old', created_at: startOfTest }))
    for (let nth = 0; nth < 9; nth++) await tx.insertInto('topic').values(rows).execute()
    await recountTopics(tx)
  })
  await make.topic(t)
  const { posts, post_count } = await readFeed(t, 9_000, 10)
  expect(posts.map(({ id }) => id)).toEqual(['1'])
  expect(post_count).toBe(9_001)
})

test('a deleted topic is in no page and has no thread, until it is restored', async () => {
  await using t = await startTestApp()
  for (const name of ['one', 'two']) await make.topic(t, { name })
  await make.comment(t, { topic_id: 2 })
  const before = [await readFeed(t), await readThread(t, 2)]
  await t.client.deleteTopic({ topic_id: 2 })
  const feed = await readFeed(t)
  expect([feed.posts.map(({ header }) => header), feed.post_count]).toEqual([['one'], 1])
  for (const topic_id of [2, 404]) {
    const { envelope } = await t.client.call('readThread', { topic_id, offset: 0, limit: 10 })
    expect(envelope).toMatchObject({ response_code: 4040, data: { reason: 'TOPIC_NOT_FOUND' } })
  }
  await inCommand(t, (scope) => restoreTopic(scope, 2 as TopicId))
  expect([await readFeed(t), await readThread(t, 2)]).toEqual(before)
})

test.each([
  ['stay', true],
  ['go, too', false],
])('the posts of somebody who was erased %s', async (_, keepPosts) => {
  await using t = await startTestApp()
  const ana = await make.participant(t)
  const ben = await make.participant(t, { first_name: 'Ben' })
  await make.topic(t, { created_by: ana })
  await make.topic(t, { created_by: ben })
  for (const created_by of [ana, ben]) {
    await make.comment(t, { topic_id: 2, created_by })
    await t.client.likeTopic({ topic_id: 2, created_by })
  }
  await readFeed(t)
  await inCommand(t, (scope) => forgetParticipant(scope, ana as ParticipantId, keepPosts))
  const { posts, post_count } = await readFeed(t)
  const { post, comments } = await readThread(t, 2)
  const authors = [posts, comments].map((written) => written.map(({ author }) => author))
  const byBen = expect.objectContaining({ id: String(ben), name: 'Ben Cruz' })
  const [ofPosts, ofComments] = keepPosts
    ? [
        [byBen, unknown],
        [unknown, byBen],
      ]
    : [[byBen], [byBen]]
  expect(authors).toEqual([ofPosts, ofComments])
  expect([post_count, post.comment_count, post.like_count]).toEqual([ofPosts.length, ofComments.length, 1])
})

const members = setUpSharedAppWithKeys('members')

test('where people sign in, visitors read the feed only if it is public, and links have a key only if it is not', async () => {
  const t = members()
  const uploaded_files = [{ name: 'pixel.png', fileType: 'image/png', data: pixel }]
  const { NewsFeed } = await t.ana.client.createTopic({ name: 'Lunch', uploaded_files, created_by: t.ana.participant })
  const topic_id = Number(make.only(NewsFeed).id)
  await t.ben.client.createComment({ topic_id, comment: 'Thanks', uploaded_files, created_by: t.ben.participant })
  const urls = async (reader: Reader) => {
    const { post, comments } = await readThread(reader, topic_id)
    expect((await readFeed(reader, 0, 1)).posts).toEqual([post])
    return [...post.files, ...comments.flatMap(({ files }) => files)].map(({ url }) => url)
  }
  for (const reader of [t.ana, t.owner])
    for (const url of await urls(reader)) expect(url).toMatch(/\/pixel\.png\?key=smm_[\w-]{32}$/)
  for (const read of [readFeed, readThread])
    await expect(read({ client: createClient(t.url) })).rejects.toMatchObject({ code: 4010 })
  await using visible = await startAppWithKeys('public')
  await visible.ana.client.createTopic({ name: 'Lunch', uploaded_files, created_by: visible.ana.participant })
  await using other = await startOtherServer(visible)
  for (const url of [visible.url, other.url]) {
    const { posts } = await readFeed({ client: createClient(url) })
    expect(make.only(make.only(posts).files).url).toMatch(/\/pixel\.png$/)
  }
})
