import { expect, test } from 'vitest'
import { startAppWithKeys } from '../../test/access/app-with-keys.ts'
import { startTestApp } from '../../test/app.ts'
import * as make from '../../test/make.ts'
import { createClient, SummitFailure, UnexpectedResponse } from './client.ts'

const slides = 'https://cdn.summit.example/slides.pdf'

test('one request carries links, objects and file parts', async () => {
  await using t = await startTestApp()
  const uploaded_files = [
    slides,
    { link: 'https://cdn.summit.example/plan', fileType: 'image/svg+xml' },
    { name: 'notes.txt', fileType: 'text/plain', data: 'R3LDvMOfZQ==' },
  ]
  const { NewsFeed } = await t.client.createTopic(
    { name: 'Grüße', created_by: 1, body: undefined as unknown as string, uploaded_files },
    { files: [new File(['a,b'], 'table.csv', { type: 'text/csv' })] },
  )
  const { content } = make.only(NewsFeed)
  expect(content).toMatchObject({ header: 'Grüße', body: '' })
  expect(content.uploaded_files.map(({ fileType }) => fileType).sort()).toEqual([
    'application/pdf',
    'image/svg+xml',
    'text/csv',
    'text/plain',
  ])
})

test('a failure is thrown with its code, reason and fields, even if the caller sets Accept', async () => {
  await using t = await startTestApp()
  const client = createClient(t.url, { headers: { Accept: 'application/problem+json' } })
  const failure = await client
    .getTopic({ topic_id: 9 }, { headers: { accept: 'application/problem+json' } })
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(SummitFailure)
  expect(failure).toMatchObject({ code: 4040, data: { reason: 'TOPIC_NOT_FOUND', fields: [] } })
})

test.each([
  [502, '<html><h1>502 Bad Gateway</h1></html>'],
  [200, ''],
  [200, '[]'],
  [200, '{"response_code":1000,"data":{}}'],
  [404, '{"title":"Not Found","status":404}'],
  [200, 'null'],
])('a response that is not an envelope (%i %j) throws UnexpectedResponse', async (status, text) => {
  const client = createClient('http://summit.example', { fetch: async () => new Response(text, { status }) })
  const error = await client.listTopics({ offset: 0, limit: 1 }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UnexpectedResponse)
  expect(error).toMatchObject({ status, excerpt: text })
})

test('the client has no methods for operations that return bytes', () => {
  const methods = Object.keys(createClient('http://summit.example'))
  expect(methods).toContain('getTopic')
  expect(methods.filter((name) => name.startsWith('read'))).toEqual([])
})

test('an UnexpectedResponse holds an excerpt of a long body', async () => {
  const client = createClient('http://summit.example', { fetch: async () => new Response('x'.repeat(100_000)) })
  await expect(client.call('getTopic', { topic_id: 1 })).rejects.toMatchObject({ excerpt: 'x'.repeat(200) })
})

test('where people sign in, the author may be left out', async () => {
  await using t = await startAppWithKeys('members')
  const client = createClient(t.url, { access: 'members', headers: t.ana.headers })
  const topic = make.only((await client.createTopic({ name: 'Lunch' })).NewsFeed)
  expect(topic.author.id).toBe(String(t.ana.participant))
  const topic_id = Number(topic.id)
  await client.createComment({ topic_id, comment: 'On my way' })
  expect(make.only((await client.likeTopic({ topic_id })).NewsFeed).likes).toHaveLength(1)
  // @ts-expect-error Where nobody signs in, it is required.
  expect(await make.codeOf(createClient(t.url).call('createTopic', { name: 'Lunch' }))).toBe(4010)
  // @ts-expect-error As a parameter of the path, it is required everywhere.
  expect(await make.codeOf(client.call('unlikeTopic', { topic_id }))).toBe(4220)
})
