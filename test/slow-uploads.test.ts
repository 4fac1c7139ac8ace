import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { type TestApp, testApp } from './app.ts'
import * as make from './make.ts'

test('what took a minute to arrive is of the moment at which it was stored', async () => {
  await using t = await testApp()
  const body = JSON.stringify({ name: 'Slides', created_by: 1 })
  const headers = { 'content-type': 'application/json', 'content-length': body.length }
  const upload = request(`${t.url}/api/newsfeeds/topics/create`, { method: 'POST', headers })
  const answered = new Promise((resolve) => upload.once('response', (response) => resolve(response.resume())))
  upload.write(body.slice(0, 10))
  await make.topic(t, { name: 'Meanwhile' })
  t.advance(60_000)
  upload.end(body.slice(10))
  await answered

  const { NewsFeed } = await t.client.listTopics({ offset: 0, limit: 2 })
  expect(NewsFeed.map(({ content }) => [content.header, content.dateCreated])).toEqual([
    ['Slides', '2030-05-01 09:01:00'],
    ['Meanwhile', '2030-05-01 09:00:00'],
  ])
})

afterEach(() => void vi.useRealTimers())

const create = '/api/newsfeeds/topics/create'
const parts = '--b\r\nContent-Disposition: form-data; name="uploaded_files"; filename="a"\r\n\r\n'

/** Begins to send a body that says to be a million bytes long. The server's watch is moved by hand. */
async function beginUpload(t: TestApp, type: string) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const socket = connect(Number(new URL(t.url).port), '127.0.0.1').on('error', () => {})
  const heard: string[] = []
  socket.setEncoding('utf8').on('data', (text: string) => heard.push(text))
  const send = async (text: string) => {
    socket.write(text)
    // For the server to see it.
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  await send(`POST ${create} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: 1000000\r\n\r\n`)
  return {
    socket,
    heard: () => heard.join(''),
    send,
    [Symbol.dispose]: () => socket.destroy(),
  }
}

test.each([
  ['JSON', 'application/json', '{"name":"'],
  ['a form', 'application/x-www-form-urlencoded', 'name='],
  ['a file', 'multipart/form-data; boundary=b', parts],
])('a body that trickles is given up: %s', async (_, type, head) => {
  await using t = await testApp()
  using upload = await beginUpload(t, type)
  await upload.send(head + 'x'.repeat(16_000))
  vi.advanceTimersByTime(29_000)
  await upload.send('x'.repeat(14_000))
  vi.advanceTimersByTime(2_000)
  await upload.send('x')
  expect(upload.heard()).toBe('')
  // In the span that began at 30 s, 1 byte has come.
  vi.advanceTimersByTime(30_000)
  if (upload.heard() === '') await once(upload.socket, 'data')
  expect(upload.heard()).toContain('"response_code":4080')
  expect(upload.heard()).toMatch(/^connection: close/im)
  await expect.poll(() => make.blobs(t)).toEqual([])
})

test('a body that comes slowly, but comes, is waited for', async () => {
  await using t = await testApp()
  using upload = await beginUpload(t, 'application/json')
  const text = JSON.stringify({ name: 'Slides', created_by: 1, x: 'x'.repeat(1_000_000 - 40) })
  const body = text.padEnd(1_000_000)
  for (let at = 0; at < 5; at++) {
    await upload.send(body.slice(at * 16_000, (at + 1) * 16_000))
    vi.advanceTimersByTime(30_000)
  }
  expect(upload.heard()).toBe('')
  await upload.send(body.slice(80_000))
  await expect.poll(upload.heard).toContain('"response_code":1000')
})
