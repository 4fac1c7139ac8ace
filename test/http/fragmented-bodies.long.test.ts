import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import * as make from '../make.ts'
import { setUpSharedApp } from '../shared-app.ts'
import { expectChunksRefused, field, head, manyChunks, open } from './fragmented-bodies.ts'
import { waitForServer } from './wait-for-server.ts'

/** A limit above {@link manyChunks}, so that only the number of chunks can be refused. */
const app = setUpSharedApp({ MAX_JSON_BYTES: '4000000' })

const json = 'application/json'
const multipart = 'multipart/form-data; boundary=b'

const topicWith = (text: string) => JSON.stringify({ name: 'Lunch', created_by: 1, x: text })

/** Lets the server, which runs in this process, receive it before the next one is sent. */
async function sendSegment(socket: Socket, bytes: string): Promise<void> {
  socket.write(bytes)
  await new Promise(setImmediate)
}

test.each([
  ['a form', 'application/x-www-form-urlencoded', 'name='],
  ['text among files', multipart, field('name', '').slice(0, -'\r\n'.length)],
  ['text before the first part', multipart, ''],
])('a body in chunks of one byte is refused for good, and not received to its end: %s', (_, type, start) =>
  expectChunksRefused(app(), type, start),
)

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
