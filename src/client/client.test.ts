import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { startAppWithKeys } from '../../test/access/app-with-keys.ts'
import { startTestApp } from '../../test/app.ts'
import * as make from '../../test/make.ts'
import { createClient, RequestTimeout, SummitFailure, UnexpectedResponse } from './client.ts'

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
  expect(failure).toMatchObject({
    code: 4040,
    data: { reason: 'TOPIC_NOT_FOUND', fields: [] },
    retryAfterSeconds: undefined,
  })
})

test('a failure says after how many seconds the request may succeed', async () => {
  await using t = await startAppWithKeys('members', { WRITES_PER_MINUTE: '1' })
  await t.ana.client.createTopic({ name: 'On stage', created_by: t.ana.participant })
  const failure = await t.ana.client.likeTopic({ topic_id: 1, created_by: t.ana.participant }).catch((error) => error)
  expect(failure).toMatchObject({ code: 4290, retryAfterSeconds: 60 })
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

test('a download is the response with its bytes, also of a file that looks like an envelope', async () => {
  await using t = await startTestApp()
  const text = '[{"response_code":4040,"data":{}}]'
  const file = new File([text], 'a.json', { type: 'application/json' })
  const { NewsFeed } = await t.client.createTopic({ name: 'Slides', created_by: 1 }, { files: [file] })
  const file_id = Number(make.only(make.only(NewsFeed).content.uploaded_files).id)
  const response = await t.client.readFile({ file_id, file_name: 'a.json' })
  expect([response.headers.get('content-type'), await response.text()]).toEqual(['application/json', text])
})

test('a download that fails throws like any other operation', async () => {
  await using t = await startTestApp()
  const failure = await t.client.readFile({ file_id: 9, file_name: 'a.pdf' }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(SummitFailure)
  const data = { reason: 'FILE_NOT_FOUND', fields: [], request_id: expect.any(String) }
  expect(failure).toMatchObject({ code: 4040, message: 'There is no such file.', data })
  const page = new Response('<h1>Bad Gateway</h1>', { status: 502 })
  const client = createClient('http://summit.example', { fetch: async () => page })
  await expect(client.readBanner({ id: 1 })).rejects.toMatchObject({ status: 502, excerpt: '<h1>Bad Gateway</h1>' })
})

test('a participant downloads their own data as a ZIP archive', async () => {
  await using t = await startAppWithKeys('members')
  const response = await t.ana.client.exportOwnData({})
  expect(response.headers.get('content-type')).toBe('application/zip')
  expect(
    Buffer.from(await response.arrayBuffer())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK')
})

test('a failure says after how many seconds to try again, and so does the page of a proxy', async () => {
  await using t = await startAppWithKeys('members', { WRITES_PER_MINUTE: '1' })
  const write = () => t.ana.client.createTopic({ name: 'Lunch', created_by: t.ana.participant })
  const errors = await Promise.all(Array.from({ length: 40 }, () => write().catch((error: unknown) => error)))
  const failure = errors.find((error) => error instanceof SummitFailure)
  expect(failure).toMatchObject({ code: 4290, retryAfterSeconds: expect.any(Number) })
  const none = await t.ana.client.getTopic({ topic_id: 99 }).catch((error: unknown) => error)
  expect(none).toMatchObject({ code: 4040, retryAfterSeconds: undefined })
  const busy = new Response('', { status: 429, headers: { 'retry-after': '7' } })
  const client = createClient('http://summit.example', { fetch: async () => busy })
  await expect(client.listTopics({ offset: 0, limit: 1 })).rejects.toMatchObject({ retryAfterSeconds: 7 })
})

/** A server that accepts requests and never ends a response. */
async function startSilentServer(begin: (response: ServerResponse) => void = () => {}) {
  const server = createServer((_, response) => begin(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

test('a request without a response ends after the timeout, of the client or of the call', async () => {
  await using server = await startSilentServer()
  const client = createClient(server.url, { timeoutMs: 20 })
  const file = new File(['x'], 'x.txt')
  for (const request of [
    () => client.listTopics({ offset: 0, limit: 1 }),
    () => client.call('createTopic', { name: 'Lunch', created_by: 1 }),
    () => client.readBanner({ id: 1 }),
    () => createClient(server.url).getTopic({ topic_id: 1 }, { timeoutMs: 20 }),
    () => client.createTopic({ name: 'Lunch', created_by: 1 }, { files: [file], timeoutMs: 20 }),
  ])
    await expect(request()).rejects.toThrow(new RequestTimeout(20))
})

test('the caller cancels a request', async () => {
  await using server = await startSilentServer()
  const client = createClient(server.url, { timeoutMs: Infinity })
  const controller = new AbortController()
  const { signal } = controller
  const requests = [
    client.listTopics({ offset: 0, limit: 1 }, { signal }),
    client.readBanner({ id: 1 }, { signal }),
    client.createTopic({ name: 'Lunch', created_by: 1 }, { signal, files: [new File(['x'], 'x.txt')] }),
  ]
  controller.abort()
  for (const outcome of await Promise.allSettled(requests))
    expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'AbortError' } })
  await expect(client.getTopic({ topic_id: 1 }, { signal })).rejects.toMatchObject({ name: 'AbortError' })
})

test('the caller cancels a download that has begun', async () => {
  await using server = await startSilentServer((response) => response.write('a part'))
  const controller = new AbortController()
  const { signal } = controller
  const response = await createClient(server.url).readBanner({ id: 1 }, { signal })
  controller.abort()
  await expect(response.arrayBuffer()).rejects.toMatchObject({ name: 'AbortError' })
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
