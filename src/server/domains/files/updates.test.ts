import { describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import type { Request } from '../../../client/client.ts'
import type { CommentId, TopicId } from '../../core/ids.ts'
import { filesOf, nameIn, plan, slides } from './uploads.fixtures.ts'

/** Creates a topic with files. @returns its id */
const topicWith = async (t: TestApp, uploaded_files: NonNullable<Request<'createTopic'>['uploaded_files']>) =>
  Number((await make.topic(t, { uploaded_files })).id)

test.each([undefined, [], null, ''])('an update with uploaded_files %j changes no file', async (uploaded_files) => {
  await using t = await startTestApp()
  const id = await topicWith(t, [slides, { data: 'R3LD' }])
  const before = await filesOf(t, id)
  const body = JSON.stringify({ name: 'x', uploaded_files })
  await make.send(t, 'PUT', `/api/newsfeeds/topics/${id}/update`, body)
  expect(await filesOf(t, id)).toEqual(before)
  expect(before).toHaveLength(2)
})

test('an update appends files and skips links that the topic already has', async () => {
  await using t = await startTestApp()
  const id = await topicWith(t, [slides, plan, slides])
  expect((await filesOf(t, id)).map(({ link }) => link)).toEqual([slides, plan])
  const more = `${plan}/2`
  await t.client.updateTopic({ topic_id: id, name: 'x', uploaded_files: [more, slides, { link: more }, plan] })
  expect((await filesOf(t, id)).map(({ link }) => link)).toEqual([slides, plan, more])
})

test('MAX_FILES limits the new files of an update, not those that are sent back', async () => {
  await using t = await startTestApp({ MAX_FILES: '3' })
  const links = (from: number, count: number) => Array.from({ length: count }, (_, nth) => `${plan}/${from + nth}`)
  const id = await topicWith(t, [...links(0, 2), { data: 'R3LD' }])
  const update = async (added: (string | { data: string })[]) =>
    make.send(
      t,
      'PUT',
      `/api/newsfeeds/topics/${id}/update`,
      JSON.stringify({ name: 'x', uploaded_files: [...(await filesOf(t, id)), ...added] }),
    )
  expect(await update(links(2, 3))).toMatchObject({ response_code: 1000 })
  expect(await update([...links(5, 2), { data: 'R3LD' }])).toMatchObject({ response_code: 1000 })
  const before = await filesOf(t, id)
  expect(before).toHaveLength(9)
  expect(await update([])).toMatchObject({ response_code: 1000 })
  expect(await update(links(7, 4))).toMatchObject({ response_code: 4131 })
  expect(await update([...links(7, 3), { data: 'R3LD' }])).toMatchObject({ response_code: 4131 })
  expect(await update(links(7, 1_000))).toMatchObject({ response_code: 4131 })
  expect(await filesOf(t, id)).toEqual(before)
  const body = { name: 'x', created_by: 1, uploaded_files: links(0, 4) }
  expect(await make.send(t, 'POST', '/api/newsfeeds/topics/create', JSON.stringify(body))).toMatchObject({
    response_code: 4131,
  })
})

describe.each(['topics', 'comments'] as const)('%s', (kind) => {
  const links = (from: number, count: number) => Array.from({ length: count }, (_, nth) => `${plan}/${from + nth}`)

  const add = async (t: TestApp, uploaded_files: unknown[]) => {
    const body = JSON.stringify({ name: 'x', comment: 'x', uploaded_files })
    return (await make.send(t, 'PUT', `/api/newsfeeds/${kind}/1/update`, body)).response_code
  }

  const files = async (t: TestApp) => {
    const { content, comments } = make.only((await t.client.getTopic({ topic_id: 1 })).NewsFeed)
    return kind === 'topics' ? content.uploaded_files : make.only(comments).uploaded_files
  }

  test('have at most 100 files each, even with concurrent updates', async () => {
    await using t = await startTestApp()
    await make.comment(t, { topic_id: await topicWith(t, []) })
    for (let from = 0; from < 90; from += 10) expect(await add(t, links(from, 10))).toBe(1000)
    const codes = await Promise.all([90, 94, 98, 102].map((from) => add(t, links(from, 4))))
    expect(codes.sort()).toEqual([1000, 1000, 4131, 4131])
    const before = await files(t)
    expect(before).toHaveLength(98)
    expect(await add(t, [...before, ...links(110, 3)])).toBe(4131)
    expect(await add(t, [{ data: 'R3LD' }, { data: 'R3LD' }, { data: 'R3LD' }])).toBe(4131)
    expect(await files(t)).toEqual(before)
    expect(await make.blobs(t)).toEqual([])
    expect(await add(t, [...before, ...links(110, 2)])).toBe(1000)
    expect(await add(t, ['https://cdn.summit.example/one-more'])).toBe(4131)

    await t.client.deleteFile({ file_Id: Number(before[0]?.id) })
    expect(await add(t, ['https://cdn.summit.example/one-more'])).toBe(1000)
    expect(await files(t)).toHaveLength(100)
  })

  test('with more than 100 files keep them all and can be updated without new ones', async () => {
    await using t = await startTestApp()
    const owner = kind === 'topics' ? { topic_id: 1 as TopicId } : { comment_id: 1 as CommentId }
    await make.comment(t, { topic_id: await topicWith(t, []) })
    const rows = links(0, 140).map((link) => ({ ...owner, link, file_type: 'image/jpeg', created_at: 1 }))
    await t.ctx.database.transaction((tx) => tx.insertInto('file').values(rows).execute())
    const before = await files(t)
    expect(before).toHaveLength(140)
    expect(await add(t, before)).toBe(1000)
    expect(await add(t, links(140, 1))).toBe(4131)
    expect(await files(t)).toEqual(before)
  })

  test('have at most MAX_FILES files each if that is more', async () => {
    await using t = await startTestApp({ MAX_FILES: '120' })
    await make.comment(t, { topic_id: await topicWith(t, []) })
    expect(await add(t, links(0, 120))).toBe(1000)
    expect(await add(t, links(120, 1))).toBe(4131)
    expect(await files(t)).toHaveLength(120)
  })
})

test('an update with the same bytes, or with a link that was deleted, adds a file', async () => {
  await using t = await startTestApp()
  const uploaded_files = [{ name: 'a.txt', data: 'R3LD' }, slides]
  await topicWith(t, uploaded_files)
  await t.client.deleteFile({ file_Id: 2 })
  await t.client.updateTopic({ topic_id: 1, name: 'x', uploaded_files })
  expect((await filesOf(t, 1)).map(({ id, link }) => [id, nameIn(link)])).toEqual([
    ['1', 'a.txt'],
    ['3', 'a.txt'],
    ['4', 'slides.pdf'],
  ])
})

test.each([
  ['the address of the client', {}],
  ['PUBLIC_URL', { PUBLIC_URL: 'https://summit.example/app' }],
])('an update that sends back the files it has read adds none, with links based on %s', async (_, settings) => {
  await using t = await startTestApp(settings)
  await make.topic(t, { uploaded_files: [{ name: 'a b.txt', data: 'R3LD' }, slides] })
  await make.comment(t, { topic_id: 1, uploaded_files: [{ data: 'R3LD' }] })
  const before = make.only((await t.client.getTopic({ topic_id: 1 })).NewsFeed)

  await t.client.updateTopic({ topic_id: 1, name: 'x', uploaded_files: before.content.uploaded_files })
  const { uploaded_files = [] } = before.comments[0] ?? {}
  await t.client.updateComment({ comment_id: 1, comment: 'x', uploaded_files })
  const after = make.only((await t.client.getTopic({ topic_id: 1 })).NewsFeed)
  expect(after.content.uploaded_files).toEqual(before.content.uploaded_files)
  expect(after.comments[0]?.uploaded_files).toEqual(uploaded_files)
})

test('an update that sends back a file which has been deleted since does not add its link', async () => {
  await using t = await startTestApp()
  await topicWith(t, [{ name: 'a.txt', data: 'R3LD' }])
  const uploaded_files = await filesOf(t, 1)
  await t.client.deleteFile({ file_Id: 1 })
  await t.client.updateTopic({ topic_id: 1, name: 'x', uploaded_files })
  expect(await filesOf(t, 1)).toEqual([])
})

test('an update adds a link to a file of another topic, and links that only resemble its own', async () => {
  await using t = await startTestApp()
  await make.topic(t, { uploaded_files: [{ data: 'R3LD' }] })
  await make.topic(t, { uploaded_files: [{ data: 'R3LD' }] })
  const links = [
    (await filesOf(t, 1))[0]?.link ?? '',
    'https://elsewhere.example/api/newsfeeds/files/2/file.bin',
    `${t.url}/api/newsfeeds/files/`,
  ]
  await t.client.updateTopic({ topic_id: 2, name: 'x', uploaded_files: links })
  expect((await filesOf(t, 2)).slice(1).map(({ link }) => link)).toEqual(links)
})
