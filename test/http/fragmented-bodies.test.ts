import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import type { TestApp } from '../app.ts'
import * as make from '../make.ts'
import { setUpSharedApp } from '../shared-app.ts'
import { waitForServer } from './wait-for-server.ts'

/** A limit above {@link manyChunks}, so that only the number of chunks can be refused. */
const app = setUpSharedApp({ MAX_JSON_BYTES: '4000000' })

const createPath = '/api/newsfeeds/topics/create'
const json = 'application/json'
const multipart = 'multipart/form-data; boundary=b'
const head = (type: string, framing: string, path = createPath) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\n${framing}\r\n\r\n`

const field = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const formWith = (content: string) =>
  `${field('name', 'Lunch')}${field('created_by', '1')}--b\r\n` +
  `Content-Disposition: form-data; name="uploaded_files"; filename="a.bin"\r\n\r\n${content}\r\n--b--\r\n`
const topicWith = (text: string) => JSON.stringify({ name: 'Lunch', created_by: 1, x: text })

function open(t: TestApp) {
  const socket = connect(Number(new URL(t.url).port), '127.0.0.1')
    .setNoDelay()
    .setEncoding('latin1')
  let received = ''
  socket.on('data', (chunk: string) => {
    received += chunk
  })
  // The server may reset a connection that is still sending.
  socket.on('error', () => {})
  const ended = new Promise<void>((resolve) => socket.once('end', resolve).once('close', resolve))
  return Object.assign(socket, { received: () => received, ended, [Symbol.dispose]: () => void socket.destroy() })
}

const chunked = (pieces: Iterable<string>) =>
  Array.from(pieces, (piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')

/** More than the kernel buffers for a server that does not read: 18 MB as chunks of one byte. */
const manyChunks = Buffer.from('1\r\nx\r\n'.repeat(3_000_000))

test.each([
  ['JSON', json, '{"x":"'],
  ['a form', 'application/x-www-form-urlencoded', 'name='],
  ['a file', multipart, formWith('').slice(0, -'\r\n--b--\r\n'.length)],
  ['text among files', multipart, field('name', '').slice(0, -'\r\n'.length)],
  ['text before the first part', multipart, ''],
])('a body in chunks of one byte is refused for good, and not received to its end: %s', async (_, type, start) => {
  const t = app()
  using socket = open(t)
  socket.write(head(type, 'Transfer-Encoding: chunked') + chunked(start))
  socket.write(manyChunks)
  await socket.ended
  expect(socket.writableLength).toBeGreaterThan(0)
  expect(socket.received()).toContain('"response_code":4130')
  expect(socket.received()).toMatch(/^connection: close\r$/im)
  expect(socket.received()).not.toMatch(/^retry-after/im)
  expect(socket.received().match(/^HTTP/gm)).toHaveLength(1)
  expect(await make.blobs(t)).toEqual([])
  await make.topic(t)
})

test('a body in segments of one byte is refused for good', async () => {
  const t = app()
  using socket = open(t)
  const body = topicWith('x'.repeat(900_000))
  socket.write(head(json, `Content-Length: ${body.length}`))
  for (let at = 0; at < body.length && socket.received() === '' && socket.writable; at++)
    await sendSegment(socket, body.charAt(at))
  if (socket.received() === '') await once(socket, 'data')
  expect(socket.received()).toContain('"response_code":4130')
  expect(socket.received()).toMatch(/^connection: close\r$/im)
})

/** Lets the server, which runs in this process, receive it before the next one is sent. */
async function sendSegment(socket: Socket, bytes: string): Promise<void> {
  socket.write(bytes)
  await new Promise(setImmediate)
}

test('a body in chunks of one byte that no operation reads is not received to its end', async () => {
  const t = app()
  using socket = open(t)
  socket.write(head(json, 'Transfer-Encoding: chunked', '/api/nothing'))
  await once(socket, 'data')
  expect(socket.received()).toContain('"response_code":4041')
  socket.write(manyChunks)
  await new Promise((resolve) => socket.once('close', resolve))
  expect(socket.writableFinished).toBe(false)
})

test('a body is not received while the response to the request before it waits for its client', async () => {
  const t = app()
  const files = [new File([new Uint8Array(15_000_000)], 'big.bin')]
  const { NewsFeed } = await t.client.createTopic({ name: 'Slides', created_by: 1 }, { files })
  const { pathname } = new URL(make.only(make.only(NewsFeed).content.uploaded_files).link)
  const requests: IncomingMessage[] = []
  const record = (message: unknown) => void requests.push((message as { request: IncomingMessage }).request)
  subscribe('http.server.request.start', record)
  using socket = open(t)
  socket.pause()
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: a\r\n\r\n${head(json, 'Transfer-Encoding: chunked')}`)
  let isReceived = false
  socket.write(manyChunks, (error) => {
    isReceived = !error
  })
  // Each request gives the server another occasion to read 64 KiB, together all that the kernel does not buffer.
  for (let nth = 0; nth < 100; nth++) await waitForServer(t)
  unsubscribe('http.server.request.start', record)
  expect(isReceived).toBe(false)
  // Node by itself would have parsed 64 KiB of it.
  const waiting = requests.find(({ method, url }) => method === 'POST' && url === '/api/newsfeeds/topics/create')
  expect(waiting?.readableLength).toBeLessThan(65_536 / 5)
  socket.resume()
  await socket.ended
  expect(socket.received()).toContain('"response_code":4130')
})

test('a client that flushes each token of its JSON is served', async () => {
  const t = app()
  using socket = open(t)
  const links = Array.from({ length: 10 }, (_, nth) => ({ link: `https://cdn.summit.example/${nth}` }))
  const body = JSON.stringify({ name: 'Lunch', created_by: 1, uploaded_files: links, x: Array(2_000).fill('y') })
  const tokens = body.match(/"[^"]*"|[^"]/g) ?? []
  expect(tokens.length).toBeGreaterThan(4_000)
  socket.write(head(json, 'Transfer-Encoding: chunked'))
  socket.write(`${chunked(tokens)}0\r\n\r\n`)
  await once(socket, 'data')
  expect(socket.received()).toContain('"response_code":1000')
})

test('a client that sends a file of 5 MB in chunks of 100 bytes is served', async () => {
  const t = app()
  using socket = open(t)
  const pieces = formWith('y'.repeat(5_000_000)).match(/[\s\S]{1,100}/g) ?? []
  socket.write(head(multipart, 'Transfer-Encoding: chunked'))
  socket.write(`${chunked(pieces)}0\r\n\r\n`)
  await once(socket, 'data')
  expect(socket.received()).toContain('"response_code":1000')
})
