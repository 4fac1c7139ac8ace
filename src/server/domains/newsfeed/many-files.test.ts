import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import type { UploadedFile } from '../../../contract/records.ts'
import type { CommentId, TopicId } from '../../core/ids.ts'

const owners = 60

const links = (count: number) => Array.from({ length: count }, (_, nth) => `https://cdn.summit.example/${nth}`)

const deleted = 'https://cdn.summit.example/deleted'

/** A deleted link of each owner, then 100 links of each but the last, which has 2. */
async function storeLinks(t: TestApp, column: 'topic_id' | 'comment_id') {
  const rows = [deleted, ...links(100)].flatMap((link, nth) =>
    Array.from({ length: nth < 3 ? owners : owners - 1 }, (_, owner) => ({
      [column]: (owner + 1) as TopicId & CommentId,
      link,
      file_type: 'image/jpeg',
      created_at: 1,
      is_deleted: Number(link === deleted),
    })),
  )
  await t.ctx.database.transaction(async (tx) => {
    for (let at = 0; at < rows.length; at += 1_000)
      await tx
        .insertInto('file')
        .values(rows.slice(at, at + 1_000))
        .execute()
  })
}

const linksOf = (records: { uploaded_files: UploadedFile[] }[]) =>
  records.map(({ uploaded_files }) => uploaded_files.map(({ link }) => link))

/** The links that 60 owners show: 59 times 84 and 2 are within the limit of 5,000, 59 times 85 are not. */
const shown = [...Array.from({ length: owners - 1 }, () => links(84)), links(2)]

test('the topics of a page show at most 5,000 files, the first of each; a single topic shows all of its files', async () => {
  await using t = await startTestApp()
  for (let nth = 0; nth < owners; nth++) await make.topic(t)
  await storeLinks(t, 'topic_id')
  const list = async (limit: number) =>
    linksOf((await t.client.listTopics({ offset: 0, limit })).NewsFeed.map(({ content }) => content)).reverse()
  expect(await list(owners)).toEqual(shown)
  expect(await list(20)).toEqual([...Array.from({ length: 19 }, () => links(100)), links(2)])
  const { content } = make.only((await t.client.getTopic({ topic_id: 1 })).NewsFeed)
  expect(linksOf([content])).toEqual([links(100)])
})

test('comments show at most 5,000 files in a list of topics, in topic details and in their own list', async () => {
  await using t = await startTestApp()
  await make.topic(t)
  for (let nth = 0; nth < owners; nth++) await make.comment(t, { topic_id: 1 })
  await storeLinks(t, 'comment_id')
  const page = { offset: 0, limit: owners }
  expect(linksOf(make.only((await t.client.listTopics(page)).NewsFeed).comments)).toEqual(shown)
  expect(linksOf(make.only((await t.client.getTopic({ topic_id: 1 })).NewsFeed).comments)).toEqual(shown)
  expect(linksOf((await t.client.listComments({ topic_id: 1, ...page })).comments)).toEqual(shown)
  expect(linksOf((await t.client.getComment({ comment_id: 1 })).comments)).toEqual([links(100)])
})
