import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { holdWrites } from '../../../test/databases.ts'
import * as make from '../../../test/make.ts'
import { normalizeResponse, sendRawRequests } from '../../../test/send-raw-requests.ts'
import { setUpSharedApp } from '../../../test/shared-app.ts'
import { createApp } from '../app.ts'

const get = (path: string, headers = '', version = '1.1') =>
  `GET ${path} HTTP/${version}\r\nHost: h.test\r\n${headers}\r\n`

const post = (path: string, body: string, headers = '') =>
  `POST ${path} HTTP/1.1\r\nHost: h.test\r\nContent-Type: application/json\r\n` +
  `Content-Length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`

const list = '/api/newsfeeds/topics/0/20'
const comments = '/api/newsfeeds/topics/1/comments/create'
const comment = JSON.stringify({ comment: 'Zürich – 👍', created_by: 1 })

async function addRecords(t: TestApp): Promise<void> {
  await make.participant(t)
  await make.event(t)
  await make.topic(t)
  await make.comment(t, { topic_id: 1 })
  await t.client.addFeedback({ created_by: 1, comments: 'Zürich 👍' })
}

/** The server of the tests that change nothing. */
const app = setUpSharedApp({}, addRecords)

async function appWithRecords() {
  const t = await startTestApp()
  await addRecords(t)
  return t
}

test('every request runs the hooks of its route: cached and uncached reads, and writes', async () => {
  await using t = await appWithRecords()
  const hooked = await createApp(t.ctx)
  const methods: string[] = []
  hooked.addHook('onRequest', async ({ method }) => void methods.push(method))
  const url = await hooked.listen({ host: '127.0.0.1', port: 0 })
  const requests = [get(list), get(list), post(comments, comment), post(comments, comment), post(comments, '{}')]
  for (const request of requests) await sendRawRequests({ url }, request)
  await hooked.close()
  expect(methods).toEqual(['GET', 'GET', 'POST', 'POST', 'POST'])
})

describe('a read', () => {
  // A server of its own, whose cache is empty at first.
  const app = setUpSharedApp({}, addRecords)

  test.each([
    list,
    '/api/newsfeeds/topics/1/details',
    '/api/newsfeeds/topics/1/comments/0/10',
    '/api/newsfeeds/comments/1/details',
    '/api/program/list/0/20',
    '/api/program/details/1',
    '/api/feedback/list/0/20',
    '/api/feedback/list/0/20/1',
    '/api/participants/0/50',
  ])('%s has the same response whether it is cached or not', async (path) => {
    const t = app()
    const [uncached, cached] = [await sendRawRequests(t, get(path)), await sendRawRequests(t, get(path))]
    expect(uncached).toMatch(/^HTTP\/1.1 200 OK\r\n/)
    expect(normalizeResponse(cached)).toBe(normalizeResponse(uncached))
    expect(cached.match(/request-id: \S+/)?.[0]).not.toBe(uncached.match(/request-id: \S+/)?.[0])
  })
})

test('a response too long for one packet is the same whether it is cached or not', async () => {
  await using t = await appWithRecords()
  const body = 'Zürich – 👍 '.repeat(900)
  await make.topic(t, { name: 'long', body })
  const [uncached, cached] = [await sendRawRequests(t, get(list)), await sendRawRequests(t, get(list))]
  expect(normalizeResponse(cached)).toBe(normalizeResponse(uncached))
  expect(cached).toContain(body)
})

test('links in a cached response use the host of the request', async () => {
  await using t = await startTestApp()
  await make.event(t)
  const linkAt = async (host: string) =>
    /"imageUrl":"([^"]+)"/.exec(await sendRawRequests(t, get('/api/program/list/0/1').replace('h.test', host)))?.[1]
  for (const host of ['one.test', 'two.test:81', 'one.test'])
    expect(await linkAt(host)).toBe(`http://${host}/api/program/banner/get/1`)
})

test('a cached response has the timestamp of each request', async () => {
  await using t = await appWithRecords()
  const seconds = []
  for (let nth = 0; nth < 3; nth++) {
    seconds.push(/"created_at":"([^"]+)","signature/.exec(await sendRawRequests(t, get(list)))?.[1])
    t.advance(1_000)
  }
  expect(seconds).toEqual(['2030-05-01 09:00:00', '2030-05-01 09:00:01', '2030-05-01 09:00:02'])
})

test('pipelined requests get their responses in order, cached or not', async () => {
  const t = app()
  await sendRawRequests(t, get(list))
  const responses = await sendRawRequests(
    t,
    get(list) + get('/api/nowhere') + get(list) + get('/api/program/list/0/20'),
  )
  expect(responses.match(/"response_code":(\d+)|"events"/g)).toEqual([
    '"response_code":1000',
    '"response_code":4041',
    '"response_code":1000',
    '"response_code":1000',
    '"events"',
  ])
})

test.each([
  ['HEAD', `HEAD ${list} HTTP/1.1\r\nHost: h.test\r\n\r\n`, /200 OK[\s\S]*content-length: \d{3}[\s\S]*\r\n\r\n$/],
  ['HTTP/1.0', get(list, '', '1.0'), /200 OK[\s\S]*Connection: close/i],
  ['two Hosts', get(list, 'Host: h.test\r\n'), /"response_code":4000/],
  ['an unknown Expect', get(list, 'Expect: the-best\r\n'), /"response_code":4000/],
  ['another method', `PUT ${list} HTTP/1.1\r\nHost: h.test\r\ncontent-length: 0\r\n\r\n`, /"response_code":4050/],
  ['a trailing slash', get(`${list}/`), /"response_code":1000/],
  ['a query', get(`${list}?any=1`), /"response_code":1000/],
  ['Connection: close', get(list, 'Connection: close\r\n'), /Connection: close[\s\S]*"response_code":1000/],
])('a cached response obeys HTTP: %s', async (_, request, expected) => {
  const t = app()
  await sendRawRequests(t, get(list))
  expect(await sendRawRequests(t, request)).toMatch(expected)
})

test('a cached response is not sent after its record is deleted', async () => {
  await using t = await appWithRecords()
  const details = get('/api/newsfeeds/topics/1/details')
  await sendRawRequests(t, details)
  await t.client.deleteTopic({ topic_id: 1 })
  expect(await sendRawRequests(t, details)).toContain('"response_code":4040')
})

test.each(['0', '1000000'])('with a cache of %s bytes, the next read after a change sees it', async (bytes) => {
  await using t = await startTestApp({ PAGE_CACHE_BYTES: bytes })
  await make.topic(t)
  const first = await sendRawRequests(t, get(list))
  expect(normalizeResponse(await sendRawRequests(t, get(list)))).toBe(normalizeResponse(first))
  await make.topic(t)
  const changed = await sendRawRequests(t, get(list))
  expect(changed).toContain('"id":"2"')
  expect(normalizeResponse(await sendRawRequests(t, get(list)))).toBe(normalizeResponse(changed))
})

test('the change log has the request id of the write', async () => {
  await using t = await appWithRecords()
  const [, id] = /^request-id: (\S+)\r$/m.exec(await sendRawRequests(t, post(comments, comment))) ?? []
  const changes = await t.ctx.database.read.selectFrom('change').select('request_id').orderBy('id').execute()
  expect(changes.at(-1)).toEqual({ request_id: id })
})

test('a failure has the request id in its body and its header', async () => {
  const response = await sendRawRequests(app(), post(comments, '{}'))
  const [, id] = /^request-id: (\S+)\r$/m.exec(response) ?? []
  expect(response).toContain(`"request_id":"${id}"`)
})

test('responses are counted by operation and code', async () => {
  await using t = await appWithRecords()
  for (let nth = 0; nth < 3; nth++) await sendRawRequests(t, get(list))
  await sendRawRequests(t, post(comments, '{}'))
  const metrics = await (await fetch(`${t.url}/metrics`)).text()
  expect(metrics).toContain('summit_responses_total{operation="listTopics",response_code="1000"} 3')
  expect(metrics).toContain('summit_responses_total{operation="createComment",response_code="1000"} 1')
  expect(metrics).toContain('summit_responses_total{operation="createComment",response_code="4220"} 1')
})

test('a write whose client has disconnected is stored, and its response is not counted', async () => {
  await using t = await appWithRecords()
  const release = await holdWrites(t)
  const client = connect(Number(new URL(t.url).port), '127.0.0.1')
  client.write(post(comments, '{"comment":"On my way","created_by":1}'))
  await expect.poll(() => client.bytesWritten).toBeGreaterThan(0)
  // The response shows that the server has read the write, which arrived first.
  await t.client.listTopics({ offset: 0, limit: 1 })
  client.destroy()
  await once(client, 'close')
  await t.client.listTopics({ offset: 0, limit: 1 })
  await release()
  await expect
    .poll(async () => (await t.client.listComments({ topic_id: 1, offset: 0, limit: 9 })).comments.length)
    .toBe(2)
  const metrics = await (await fetch(`${t.url}/metrics`)).text()
  expect(metrics.match(/^summit_responses_total\{operation="createComment".*$/gm)).toEqual([
    'summit_responses_total{operation="createComment",response_code="1000"} 1',
  ])
})

const announced = (headers: string) =>
  `POST ${comments} HTTP/1.1\r\nHost: h.test\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n${headers}\r\n`

/** Sends a head, and the body after `100 Continue`, as curl does. */
async function sendExpecting(t: { url: string }, head: string, body: string): Promise<string> {
  const socket = connect(Number(new URL(t.url).port), '127.0.0.1').setEncoding('utf8')
  socket.write(head)
  let received = ''
  for await (const chunk of socket) {
    received += chunk
    if (received.endsWith('100 Continue\r\n\r\n')) socket.write(body)
    if (received.includes('"response_code"')) socket.end()
  }
  return received
}

test('a client that expects 100 Continue receives it once its headers are accepted', async () => {
  await using t = await appWithRecords()
  const received = await sendExpecting(t, announced(`Content-Length: ${Buffer.byteLength(comment)}\r\n`), comment)
  expect(received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n[\s\S]*"response_code":1000/)
})

test.each([
  ['announces a body that is too large', 'Content-Length: 99999999\r\n', '4130'],
  ['writes for a page of another origin', 'Content-Length: 2\r\nOrigin: http://evil.test\r\n', '4030'],
  ['compresses its body', 'Content-Length: 2\r\nContent-Encoding: gzip\r\n', '4150'],
])('a client that %s is rejected before it sends its body', async (_, headers, code) => {
  const received = await sendExpecting(app(), announced(headers), '')
  expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(received).toMatch(/^connection: close\r$/im)
  expect(received).toContain(`"response_code":${code}`)
})

test('a client that expects 100 Continue does not receive it for a body that the operation does not read', async () => {
  await using t = await appWithRecords()
  const head = 'DELETE /api/newsfeeds/comments/1/delete HTTP/1.1\r\nHost: h.test\r\nExpect: 100-continue\r\n'
  const received = await sendExpecting(t, `${head}Content-Length: 2\r\n\r\n`, '{}')
  expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*"response_code":2000/)
})
