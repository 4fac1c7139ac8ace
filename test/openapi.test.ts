import { expect, test } from 'vitest'
import openapi from '../docs/openapi.json' with { type: 'json' }
import { testApp } from './app.ts'
import * as make from './make.ts'

// What the document says of answers is held against answers.

interface Described {
  operationId: string
  responses: Record<string, { headers?: Record<string, unknown> }>
}

const described = new Map(
  Object.values<Record<string, unknown>>(openapi.paths)
    .flatMap((path) => Object.values(path) as Described[])
    .map((operation) => [operation.operationId, operation.responses]),
)

/** Those that the document names at all. */
const told = Object.keys(openapi.components.headers)

/** The names of those headers that the answer has, and the document does not say so. */
function untold(operation: string, { status, headers }: Response): string[] {
  const responses = described.get(operation) ?? {}
  const response = responses[status] ?? responses[`${Math.floor(status / 100)}XX`]
  if (!response) return [`status ${status}`]
  return told.filter((name) => headers.has(name) && !(name in (response.headers ?? {})))
}

test.each([
  ['bytes', 'readFile', '/api/newsfeeds/files/1/a.txt', {}, 200],
  ['some of the bytes', 'readFile', '/api/newsfeeds/files/1/a.txt', { range: 'bytes=0-1' }, 206],
  ['bytes that the client has', 'readFile', '/api/newsfeeds/files/1/a.txt', { 'if-none-match': '*' }, 304],
  ['bytes that are not there', 'readFile', '/api/newsfeeds/files/1/a.txt', { range: 'bytes=99-' }, 416],
  ['a picture that the client has', 'readBanner', '/api/program/banner/get/1', { 'if-none-match': '*' }, 304],
  ['some of a picture', 'readPhoto', '/api/program/photo/get/1', { range: 'bytes=0-1' }, 206],
  ['a failure', 'getTopic', '/api/newsfeeds/topics/9/details', {}, 200],
  ['a problem', 'getTopic', '/api/newsfeeds/topics/9/details', { accept: 'application/problem+json' }, 404],
] as const)('the document knows the status and headers of %s', async (_, operation, path, headers, status) => {
  await using t = await testApp()
  await make.event(t)
  await make.topic(t, { uploaded_files: [{ name: 'a.txt', fileType: 'text/plain', data: 'R3LDvMOfZQ==' }] })
  const answer = await fetch(t.url + path, { headers })
  expect(answer.status).toBe(status)
  expect(answer.headers.has('request-id')).toBe(true)
  expect(untold(operation, answer)).toEqual([])
})

test('the document knows the headers of a repeated write', async () => {
  await using t = await testApp()
  const add = () => t.client.call('addFeedback', { created_by: 1 }, { idempotencyKey: 'once' })
  await add()
  const { headers } = await add()
  expect(headers.get('idempotency-replayed')).toBe('true')
  expect(untold('addFeedback', new Response('', { headers }))).toEqual([])
})

test('the document says of which members a request needs one', () => {
  const { content } = openapi.paths['/api/feedback/add'].post.requestBody
  for (const { schema } of Object.values(content))
    expect(schema.anyOf).toEqual([{ required: ['participant_id'] }, { required: ['created_by'] }])
})
