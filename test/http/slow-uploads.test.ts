import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../app.ts'
import * as make from '../make.ts'
import { waitForServer } from './wait-for-server.ts'

afterEach(() => void vi.useRealTimers())

const createPath = '/api/newsfeeds/topics/create'

test('the date of a topic is when it was stored, not when its upload began', async () => {
  await using t = await startTestApp()
  const body = JSON.stringify({ name: 'Slides', created_by: 1 })
  const headers = { 'content-type': 'application/json', 'content-length': body.length }
  const upload = request(`${t.url}${createPath}`, { method: 'POST', headers })
  const completed = new Promise((resolve) => upload.once('response', (response) => resolve(response.resume())))
  upload.write(body.slice(0, 10))
  await make.topic(t, { name: 'Meanwhile' })
  t.advance(60_000)
  upload.end(body.slice(10))
  await completed

  const { NewsFeed } = await t.client.listTopics({ offset: 0, limit: 2 })
  expect(NewsFeed.map(({ content }) => [content.header, content.dateCreated])).toEqual([
    ['Slides', '2030-05-01 09:01:00'],
    ['Meanwhile', '2030-05-01 09:00:00'],
  ])
})

/** Sends the head of a request with a body of a million bytes, and fakes the timers of the server from then on. */
async function beginUpload(t: TestApp, type: string) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const socket = connect(Number(new URL(t.url).port), '127.0.0.1').on('error', () => {})
  const received: string[] = []
  socket.setEncoding('utf8').on('data', (text: string) => received.push(text))
  await once(socket, 'connect')
  const send = async (text: string) => {
    await new Promise((resolve) => socket.write(text, resolve))
    await waitForServer(t)
  }
  await send(`POST ${createPath} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: 1000000\r\n\r\n`)
  return { socket, send, received: () => received.join(''), [Symbol.dispose]: () => socket.destroy() }
}

const filePart = '--b\r\nContent-Disposition: form-data; name="uploaded_files"; filename="a"\r\n\r\n'

test.each([
  ['JSON', 'application/json', '{"name":"'],
  ['a form', 'application/x-www-form-urlencoded', 'name='],
  ['a file', 'multipart/form-data; boundary=b', filePart],
])('a body is refused once less than 15 kB of it arrive in half a minute: %s', async (_, type, start) => {
  await using t = await startTestApp()
  using upload = await beginUpload(t, type)
  await upload.send(start + 'x'.repeat(16_000))
  vi.advanceTimersByTime(29_000)
  await upload.send('x'.repeat(14_000))
  vi.advanceTimersByTime(2_000)
  await upload.send('x')
  expect(upload.received()).toBe('')
  // Only one byte arrived in the interval that began after 30 s.
  vi.advanceTimersByTime(30_000)
  if (upload.received() === '') await once(upload.socket, 'data')
  expect(upload.received()).toContain('"response_code":4080')
  expect(upload.received()).toMatch(/^connection: close/im)
  await expect.poll(() => make.blobs(t)).toEqual([])
})

test('a body that arrives slowly, but faster than that, is accepted', async () => {
  await using t = await startTestApp()
  using upload = await beginUpload(t, 'application/json')
  const text = JSON.stringify({ name: 'Slides', created_by: 1, x: 'x'.repeat(1_000_000 - 40) })
  const body = text.padEnd(1_000_000)
  for (let interval = 0; interval < 5; interval++) {
    await upload.send(body.slice(interval * 16_000, (interval + 1) * 16_000))
    vi.advanceTimersByTime(30_000)
  }
  expect(upload.received()).toBe('')
  await upload.send(body.slice(80_000))
  await expect.poll(upload.received).toContain('"response_code":1000')
})
