import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { startTestApp } from '../app.ts'
import * as make from '../make.ts'
import {
  belowBase,
  chunked,
  codeOf,
  codesOf,
  createPath,
  keepAliveRequestText,
  listPath,
  openSocket,
  sendRaw,
  setUpSharedRawApp,
} from './raw-requests.ts'

const app = setUpSharedRawApp()

const readChanges = () => app().ctx.database.read.selectFrom('change').selectAll().orderBy('id').execute()

describe('bytes that are not HTTP get status 400, and nothing is stored', () => {
  const head = `POST ${createPath} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`
  const body = '{"name":"x","created_by":1}'

  test.each([
    ['words', 'GARBAGE\r\n\r\n'],
    ['zeros', '\0\0\0\0\0\0\0\0'],
    ['TLS', Buffer.from('16030100c8010000c4030300', 'hex')],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['HTTP/9.9', `GET ${listPath} HTTP/9.9\r\nHost: a\r\n\r\n`],
    ['an unknown method', `FROBNICATE ${listPath} HTTP/1.1\r\nHost: a\r\n\r\n`],
    ['a path without a slash', 'GET api/x HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['lines that end in LF', `GET ${listPath} HTTP/1.1\nHost: a\n\n`],
    ['a header without a colon', `GET ${listPath} HTTP/1.1\r\nHost a\r\n\r\n`],
    ['a space before a colon', `GET ${listPath} HTTP/1.1\r\nHost : a\r\n\r\n`],
    ['a folded header', `GET ${listPath} HTTP/1.1\r\nHost: a\r\n b\r\n\r\n`],
    ['NUL in a header', `GET ${listPath} HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n`],
    ['a length and chunks', `${head}Content-Length: 27\r\nTransfer-Encoding: chunked\r\n\r\n${body}`],
    ['two lengths', `${head}Content-Length: 27\r\nContent-Length: 0\r\n\r\n${body}`],
    ['a list of lengths', `${head}Content-Length: 27, 27\r\n\r\n${body}`],
    ['a negative length', `${head}Content-Length: -1\r\n\r\n${body}`],
    ['a length with a sign', `${head}Content-Length: +27\r\n\r\n${body}`],
    ['a length of 30 digits', `${head}Content-Length: ${'9'.repeat(30)}\r\n\r\n${body}`],
    ['an unknown transfer encoding', `${head}Transfer-Encoding: xchunked\r\n\r\n${chunked(body)}`],
    ['chunks inside another encoding', `${head}Transfer-Encoding: chunked, identity\r\n\r\n${chunked(body)}`],
    ['a chunk without a length', `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n${body}\r\n0\r\n\r\n`],
    [
      'a chunk with a long extension',
      `${head}Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
    ],
  ])('%s', async (_, bytes) => {
    const before = await readChanges()
    expect(make.only(await sendRaw(app(), bytes))).toMatchObject({ status: 400, body: '' })
    expect(await readChanges()).toEqual(before)
  })
})

test('a request that turns out to be malformed after its response gets no second one', async () => {
  const unknown = `GET /api/% HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: nonsense\r\n\r\n`
  expect(codeOf(await sendRaw(app(), unknown))).toBe(4000)
  const headers = ['Content-Type: text/plain', 'Transfer-Encoding: chunked', 'Host: a', '', '']
  const sendMore = async (socket: Socket) => {
    await once(socket, 'data')
    socket.write('no chunk\r\n')
  }
  expect(codeOf(await sendRaw(app(), `POST ${createPath} HTTP/1.1\r\n${headers.join('\r\n')}`, sendMore))).toBe(4150)
})

const create = (name: string) => keepAliveRequestText('POST', createPath, JSON.stringify({ name, created_by: 1 }))

describe('garbage after the last request', () => {
  test.each([
    ['a write', create('T'), [1000]],
    ['a read', keepAliveRequestText('GET', listPath), [1000]],
    ['three requests', create('T') + keepAliveRequestText('GET', listPath) + create('U'), [1000, 1000, 1000]],
  ])('does not prevent the response to %s', async (_, requests, expected) => {
    for (const garbage of ['2', 'GARBAGE\r\n\r\n'])
      expect(codesOf(await sendRaw(app(), requests + garbage)).slice(0, -1)).toEqual(expected)
  })

  test('gets one 400, however long it is', async () => {
    const sendGarbage = async (socket: Socket) => {
      for (let nth = 0; nth < 20 && socket.writable; nth++) {
        socket.write('GARBAGE\r\n\r\n'.repeat(1_000))
        await sleep(1)
      }
    }
    expect(codesOf(await sendRaw(app(), create('T'), sendGarbage))).toEqual([1000, 400])
  })

  test('does not interrupt a download', async () => {
    await using t = await startTestApp()
    const size = 8_000_000
    const files = [new File([new Uint8Array(size)], 'big.bin')]
    await t.client.createTopic({ name: 'Big', created_by: 1 }, { files })
    const socket = openSocket(t)
    socket.write(belowBase(t, 'GET /api/newsfeeds/files/1/big.bin HTTP/1.1\r\nHost: a\r\n\r\n'))
    await once(socket, 'readable')
    socket.write('GARBAGE\r\n\r\n')
    const received = Buffer.concat(await socket.toArray()).toString('latin1')
    const bodyStart = received.indexOf('\r\n\r\n') + 4
    expect(received.indexOf('HTTP/1.1', 1)).toBe(bodyStart + size)
    expect(received.slice(bodyStart + size)).toContain('HTTP/1.1 400 ')
  })
})

const malformedBody = (method: string, path: string) =>
  `${method} ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n`

test('a write with a malformed body is refused, and the writes before it are stored', async () => {
  await using t = await startTestApp()
  const requests = create('A') + create('B') + malformedBody('POST', createPath)
  expect(codesOf(await sendRaw(t, requests))).toEqual([1000, 1000, 400])
  const { NewsFeed } = await t.client.listTopics({ offset: 0, limit: 10 })
  expect(NewsFeed.map(({ content }) => content.header)).toEqual(['B', 'A'])
})

test('a delete does not read its body, so a malformed one gets a second response', async () => {
  await using t = await startTestApp()
  for (let nth = 0; nth < 3; nth++) await make.topic(t)
  const deleteTopic = (id: number) => malformedBody('DELETE', `/api/newsfeeds/topics/${id}/delete`)
  expect(codesOf(await sendRaw(t, deleteTopic(1)))).toEqual([2000, 400])
  // After a write, it is malformed before it begins.
  expect(codesOf(await sendRaw(t, create('T') + deleteTopic(2)))).toEqual([1000, 400])
  const { NewsFeed } = await t.client.listTopics({ offset: 0, limit: 10 })
  expect(NewsFeed.map(({ id }) => id)).toEqual(['4', '3', '2'])
})

test('a read does not read its body, so a malformed one gets a second response', async () => {
  await using t = await startTestApp()
  await make.event(t)
  // Drawing takes a moment.
  const responses = await sendRaw(t, malformedBody('GET', '/api/program/banner/get/1'))
  expect(responses.map(({ status }) => status)).toEqual([200, 400])
})

test('a write gets its response before a CONNECT behind it ends the connection', async () => {
  expect(codesOf(await sendRaw(app(), `${create('T')}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`))).toEqual([1000])
})

test('requests sent all at once get their responses in order', async () => {
  await using t = await startTestApp()
  await make.topic(t)
  const responses = await sendRaw(
    t,
    keepAliveRequestText('POST', createPath, '{"name":"x","created_by":1}') +
      keepAliveRequestText('GET', '/api/newsfeeds/topics/1/details') +
      keepAliveRequestText('POST', createPath, '{') +
      keepAliveRequestText('GET', '/api/nothing') +
      keepAliveRequestText('DELETE', '/api/newsfeeds/topics/1/delete') +
      keepAliveRequestText('GET', '/api/newsfeeds/topics/404/details') +
      `GET ${listPath} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
  )
  expect(codesOf(responses)).toEqual([1000, 1000, 4001, 4041, 2000, 4040, 1000])
})
