import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { alike, exchange } from '../../../test/exchange.ts'
import * as make from '../../../test/make.ts'
import { createApp } from '../app.ts'
import type { Answered } from '../ops/answered.ts'
import { addressOf, type KnownWrite, writeAnswerer } from './answer-writes.ts'
import { Known } from './known.ts'
import { noteOf } from './note.ts'
import { Unsent } from './unsent.ts'
import type { Written } from './writes.ts'

interface Spelling {
  headers?: string
  version?: string
  type?: string
}

const send = (
  address: string,
  body = '',
  { headers = '', version = '1.1', type = 'application/json' }: Spelling = {},
) =>
  `${address} HTTP/${version}\r\nHost: h.test\r\n${type && `Content-Type: ${type}\r\n`}` +
  `Content-Length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`

const comments = 'POST /api/newsfeeds/topics/1/comments/create'
const update = 'PUT /api/newsfeeds/topics/1/update'
const unlike = 'DELETE /api/newsfeeds/topics/1/likes/1/delete'
const comment = JSON.stringify({ comment: 'Zürich – 👍', created_by: 1 })
const key = (name: string) => `Idempotency-Key: ${name}\r\n`

const requests: [what: string, address: string, request: string][] = [
  ['a comment', comments, send(comments, comment)],
  [
    'a comment in a form',
    comments,
    send(comments, 'comment=x&created_by=1', { type: 'application/x-www-form-urlencoded' }),
  ],
  ['a comment in pieces', comments, chunked(comment)],
  ['a comment by whoever closes', comments, send(comments, comment, { headers: 'Connection: close\r\n' })],
  ['a comment of an old client', comments, send(comments, comment, { version: '1.0' })],
  ['a comment twice under one key', comments, send(comments, comment, { headers: key('twice') }).repeat(2)],
  [
    'another comment under the same key',
    comments,
    send(comments, comment, { headers: key('other') }) +
      send(comments, '{"comment":"x","created_by":1}', { headers: key('other') }),
  ],
  ['a key that is none', comments, send(comments, comment, { headers: 'Idempotency-Key: a b\r\n' })],
  [
    'a comment behind another',
    comments,
    send(comments, comment) + send(comments, '{"comment":"second","created_by":1}'),
  ],
  ['no comment', comments, send(comments, '{}')],
  ['nothing', comments, send(comments, '', { type: '' })],
  ['half a text', comments, send(comments, '{"comment":')],
  ['a list', comments, send(comments, '[]')],
  ['a picture', comments, send(comments, 'x', { type: 'image/png' })],
  ['something packed', comments, send(comments, comment, { headers: 'Content-Encoding: gzip\r\n' })],
  ['too much', comments, send(comments, '').replace('Content-Length: 0', 'Content-Length: 99999999')],
  ['something expected', comments, send(comments, comment, { headers: 'Expect: the-best\r\n' })],
  ['two Hosts', comments, send(comments, comment, { headers: 'Host: h.test\r\n' })],
  ['a Host that is none', comments, send(comments, comment).replace('h.test', 'h,test')],
  ['whoever prefers RFC 9457', comments, send(comments, '{}', { headers: 'Accept: application/problem+json\r\n' })],
  ['an update', update, send(update, '{"name":"Dinner"}')],
  ['a like taken back, with a body', unlike, send(unlike, '{"any":1}')],
  ['a like that is gone', unlike, send(unlike).repeat(2)],
]

function chunked(body: string): string {
  const head = send(comments, '').replace('Content-Length: 0', 'Transfer-Encoding: chunked')
  return `${head}${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`
}

/** What can be taken back again and again. */
const like = ({ client }: TestApp) => client.likeTopic({ topic_id: 1, created_by: 1 })

/** A server that has written at this address. */
async function written(address: string): Promise<TestApp> {
  const t = await testApp({ SIGNATURE_KEY: 'ab'.repeat(32) })
  await make.participant(t)
  await make.topic(t)
  await like(t)
  const body = '{"name":"Lunch","comment":"first","created_by":1}'
  expect(await exchange(t, send(address, body))).toMatch(/"response_code":[12]000/)
  return t
}

/** All that is stored, but for the ids of requests. */
async function stored({ ctx: { database } }: TestApp) {
  const tables = ['topic', 'comment', 'topic_like', 'change'] as const
  const rows = await Promise.all([
    ...tables.map((table) => database.read.selectFrom(table).selectAll().orderBy('id').execute()),
    database.read.selectFrom('idempotency').selectAll().orderBy('key').execute(),
  ])
  return rows.flat().map((row) => ({ ...row, request_id: undefined }))
}

/** With a query, an address is never known. */
const spelledNew = (address: string) => `${address}?`

describe.each([comments, update, unlike])(
  '%s is answered alike where the address is new and where it is known:',
  (address) => {
    const servers = new AsyncDisposableStack()
    let routed: TestApp
    let known: TestApp
    beforeAll(async () => {
      routed = servers.use(await written(spelledNew(address)))
      known = servers.use(await written(address))
    })
    afterAll(() => servers.disposeAsync())

    test.each(requests.filter(([, at]) => at === address))('%s', async (_what, _at, request) => {
      for (const t of [routed, known]) await like(t)
      const expected = await exchange(routed, request.replaceAll(`${address} HTTP`, `${spelledNew(address)} HTTP`))
      expect(expected).toMatch(/^HTTP\/1\.1 \d{3} [\s\S]*\r\n\r\n/)
      expect(alike(await exchange(known, request))).toBe(alike(expected))
      expect(await stored(known)).toEqual(await stored(routed))
    })
  },
)

describe('a write at a known address', () => {
  test('is not routed, unless it fails', async () => {
    await using t = await testApp()
    await make.topic(t)
    const { app } = await createApp(t.ctx)
    let routed = 0
    app.addHook('onRequest', async () => {
      routed++
    })
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const routedAfter = async (request: string) => {
      await exchange({ url }, request)
      return routed
    }
    expect(await routedAfter(send(comments, '{}'))).toBe(1)
    expect(await routedAfter(send(comments, comment))).toBe(2)
    expect(await routedAfter(send(comments, comment))).toBe(2)
    expect(await routedAfter(send(comments, '{}'))).toBe(3)
    expect(await routedAfter(send(comments, comment))).toBe(3)
    await app.close()
  })

  test('has the request id of its answer in the change log', async () => {
    await using t = await written(comments)
    const answer = await exchange(t, send(comments, comment))
    const [, id] = /^request-id: (\S+)\r$/m.exec(answer) ?? []
    const changes = await t.ctx.database.read.selectFrom('change').select('request_id').orderBy('id').execute()
    expect(changes.at(-1)).toEqual({ request_id: id })
  })

  test('that fails names its request in the answer and in its head', async () => {
    await using t = await written(comments)
    const answer = await exchange(t, send(comments, '{}'))
    const [, id] = /^request-id: (\S+)\r$/m.exec(answer) ?? []
    expect(answer).toContain(`"request_id":"${id}"`)
  })

  test('is counted as every answer is, whether it is done or not', async () => {
    await using t = await written(comments)
    await exchange(t, send(comments, comment))
    await exchange(t, send(comments, '{}'))
    const counted = await (await fetch(`${t.url}/metrics`)).text()
    expect(counted).toContain('summit_answers_total{operation="createComment",response_code="1000"} 2')
    expect(counted).toContain('summit_answers_total{operation="createComment",response_code="4220"} 1')
  })

  test('carries the moment and the signature of its own answer', async () => {
    await using t = await written(comments)
    const answers = []
    for (let nth = 0; nth < 2; nth++) {
      answers.push(
        /"created_at":"([^"]+)","signature":"[0-9a-f]{40}"/.exec(await exchange(t, send(comments, comment)))?.[1],
      )
      t.advance(1_000)
    }
    expect(answers).toEqual(['2030-05-01 09:00:00', '2030-05-01 09:00:01'])
  })
})

/** What answers writes, by itself: one address is known. */
async function answering(write: (response: ServerResponse) => Promise<Written>, isListening = () => true) {
  const known = new Known<KnownWrite>()
  const responses: ServerResponse[] = []
  const writeNewest: KnownWrite['write'] = async () => write(responses.at(-1) as ServerResponse)
  known.remember('POST /known', { name: 'createComment', write: writeNewest, params: { topic_id: '1' } })
  const answered: Answered[] = []
  const logged: unknown[] = []
  const log = { error: (what: unknown) => logged.push(what) } as unknown as FastifyBaseLogger
  const answer = writeAnswerer({
    known,
    unsent: new Unsent(),
    isListening,
    onAnswered: (one) => answered.push(one),
    log,
  })
  const server = createServer((request, response) => {
    responses.push(response)
    answer(request, response, () => response.end(`routed, ${noteOf(request).refusal ?? 'not refused'}`))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    answered,
    logged,
    responses,
    ask: (request: string) => exchange({ url }, request),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

const done = async (): Promise<Written> => ({ responseCode: 1000, body: 'done', replayed: false })

test('a known address is not routed, and all else is', async () => {
  await using t = await answering(done)
  expect(await t.ask(send('POST /known'))).toMatch(/\r\n\r\ndone$/)
  for (const request of ['POST /known/', 'PUT /known', 'HEAD /known', 'POST /known?a'])
    expect(await t.ask(send(request))).not.toContain('done')
  expect(await t.ask(send('POST /known', '', { version: '1.0' }))).toContain('routed, not refused')
  expect(t.answered).toMatchObject([{ operation: 'createComment', method: 'POST', responseCode: 1000, status: 200 }])
})

test('what fails is routed, with what is wrong, and is not counted twice', async () => {
  await using t = await answering(async () => {
    throw new Error('not today')
  })
  expect(await t.ask(send('POST /known'))).toContain('routed, Error: not today')
  expect(t.answered).toEqual([])
})

test('a write that ends while the server closes ends its connection', async () => {
  let isListening = true
  await using t = await answering(
    async () => {
      isListening = false
      return done()
    },
    () => isListening,
  )
  expect(await t.ask(send('POST /known'))).toMatch(/^connection: close\r$/im)
  expect(await t.ask(send('POST /known'))).toContain('routed')
})

test('what closing has answered already is not answered again, whatever becomes of the write', async () => {
  let fails = false
  await using t = await answering(async (response) => {
    response.end('given up')
    if (fails) throw new Error('too late')
    return done()
  })
  expect(await t.ask(send('POST /known'))).toMatch(/given up$/)
  expect(t.logged).toEqual([])
  fails = true
  const answer = await t.ask(send('POST /known'))
  expect(answer).toMatch(/given up$/)
  expect(t.logged).toMatchObject([{ reqId: expect.any(String), err: { message: 'too late' } }])
  expect(t.answered).toEqual([])
})

test('an answer whose client has gone is not counted as given', async () => {
  const begun = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<Written>()
  await using t = await answering(async () => {
    begun.resolve()
    return gate.promise
  })
  const client = connect(Number(new URL(t.url).port), '127.0.0.1')
  client.write(send('POST /known'))
  await begun.promise
  client.destroy()
  await once(t.responses[0] as ServerResponse, 'close')
  gate.resolve(done())
  await new Promise(setImmediate)
  expect(t.responses[0]?.headersSent).toBe(true)
  expect(t.answered).toEqual([])
})

test('an address of any length is not remembered, nor one with a query', () => {
  for (const url of [`/${'x'.repeat(300)}`, '/x?y']) expect(addressOf({ method: 'PUT', url } as never)).toBeUndefined()
  expect(addressOf({ method: 'PUT', url: '/x' } as never)).toBe('PUT /x')
})
