import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { TestApp } from './app.ts'
import * as make from './make.ts'
import { sharedApp } from './shared-app.ts'

const app = sharedApp()

const create = '/api/newsfeeds/topics/create'
const json = 'application/json'
const form = 'multipart/form-data; boundary=b'
const head = (type: string, framing: string, path = create) =>
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
  let heard = ''
  socket
    .on('error', () => {})
    .on('data', (text: string) => {
      heard += text
    })
  return Object.assign(socket, { heard: () => heard, [Symbol.dispose]: () => void socket.destroy() })
}

const inChunks = (pieces: string[]) => pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')

test.each([
  ['JSON', json, topicWith('x'.repeat(900_000))],
  ['a form', 'application/x-www-form-urlencoded', `name=${'x'.repeat(900_000)}`],
  ['a file', form, formWith('x'.repeat(900_000))],
  ['text among files', form, field('name', 'x'.repeat(900_000))],
  ['what precedes the first part', form, 'x'.repeat(900_000)],
])(
  'a body in chunks of one byte is refused for good, and the rest of it is not received: %s',
  async (_, type, body) => {
    const t = app()
    using socket = open(t)
    socket.write(head(type, 'Transfer-Encoding: chunked'))
    socket.write(`${inChunks([...body])}0\r\n\r\n`)
    await once(socket, 'end')
    expect(socket.heard()).toContain('"response_code":4130')
    expect(socket.heard()).toMatch(/^connection: close\r$/im)
    expect(socket.heard()).not.toMatch(/^retry-after/im)
    expect(socket.heard().match(/^HTTP/gm)).toHaveLength(1)
    // Far from all of it has left the client.
    expect(socket.bytesWritten - socket.writableLength).toBeLessThan(6 * body.length)
    expect(await make.blobs(t)).toEqual([])
    await make.topic(t)
  },
)

test('so is one in segments of one byte', async () => {
  const t = app()
  using socket = open(t)
  const body = topicWith('x'.repeat(900_000))
  socket.write(head(json, `Content-Length: ${body.length}`))
  for (let at = 0; at < body.length && socket.heard() === '' && socket.writable; at++)
    await sendByItself(socket, body, at)
  if (socket.heard() === '') await once(socket, 'data')
  expect(socket.heard()).toContain('"response_code":4130')
  expect(socket.heard()).toMatch(/^connection: close\r$/im)
})

/** So that the server has received it before the next one is sent, mostly. */
async function sendByItself(socket: Socket, body: string, at: number): Promise<void> {
  socket.write(body.slice(at, at + 1))
  await new Promise(setImmediate)
}

test('a body that nobody reads and that comes in chunks of one byte is soon not received any more', async () => {
  const t = app()
  using socket = open(t)
  socket.write(head(json, 'Transfer-Encoding: chunked', '/api/nothing'))
  await once(socket, 'data')
  expect(socket.heard()).toContain('"response_code":4041')
  // More than the kernel takes for a server that does not read.
  socket.write('1\r\nx\r\n'.repeat(3_000_000))
  await new Promise((resolve) => socket.once('close', resolve))
  // It has not been taken to its end, or the connection would wait for the next request.
  expect(socket.writableFinished).toBe(false)
})

test('a body that waits for its turn is not received before it', async () => {
  const t = app()
  const file = new File([new Uint8Array(15_000_000)], 'big.bin')
  const { NewsFeed } = await t.client.createTopic({ name: 'Slides', created_by: 1 }, { files: [file] })
  const { pathname } = new URL(make.only(make.only(NewsFeed).content.uploaded_files).link)
  const requests: IncomingMessage[] = []
  const note = (message: unknown) => void requests.push((message as { request: IncomingMessage }).request)
  subscribe('http.server.request.start', note)
  using socket = open(t)
  socket.pause()
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: a\r\n\r\n${head(json, 'Transfer-Encoding: chunked')}`)
  socket.write(inChunks(Array.from({ length: 300_000 }, () => 'x')))
  await expect.poll(() => requests.length).toBe(2)
  // So that it would have been, if it were.
  await sleep(300)
  unsubscribe('http.server.request.start', note)
  // Node reads 64 KiB at a time.
  expect(requests[1]?.readableLength).toBeLessThan(65_536 / 5)
  socket.resume()
  await once(socket, 'end')
  expect(socket.heard()).toContain('"response_code":4130')
})

test('a client that flushes each token of its JSON is served', async () => {
  const t = app()
  using socket = open(t)
  const links = Array.from({ length: 10 }, (_, nth) => ({ link: `https://cdn.summit.example/${nth}` }))
  const text = JSON.stringify({ name: 'Lunch', created_by: 1, uploaded_files: links, x: Array(2_000).fill('y') })
  const tokens = text.match(/"[^"]*"|[^"]/g) ?? []
  expect(tokens.length).toBeGreaterThan(4_000)
  socket.write(head(json, 'Transfer-Encoding: chunked'))
  socket.write(`${inChunks(tokens)}0\r\n\r\n`)
  await once(socket, 'data')
  expect(socket.heard()).toContain('"response_code":1000')
})

test('a client on the worst of networks is served: a file of 5 MB in segments of a hundred bytes', async () => {
  const t = app()
  using socket = open(t)
  const body = formWith('y'.repeat(5_000_000))
  const pieces = body.match(/[\s\S]{1,100}/g) ?? []
  socket.write(head(form, 'Transfer-Encoding: chunked'))
  socket.write(`${inChunks(pieces)}0\r\n\r\n`)
  await once(socket, 'data')
  expect(socket.heard()).toContain('"response_code":1000')
})
