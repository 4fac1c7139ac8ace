import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { drainRequestBody } from './body-stream.ts'

afterEach(() => void vi.useRealTimers())

/** Starts a server that responds to every request without reading its body, and a client of it. */
async function connectToHastyServer() {
  const server = createServer((request, response) => {
    drainRequestBody(request)
    response.end('no')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8')
  const close = () => {
    client.destroy()
    server.close()
  }
  return Object.assign(client, { [Symbol.dispose]: close })
}

const head = (length: number) => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`

test('a client that sends all of a rejected body gets the response, and the response to its next request', async () => {
  using client = await connectToHastyServer()
  client.write(head(3_000_000))
  expect(String(await once(client, 'data'))).toContain('no')
  client.write('x'.repeat(3_000_000))
  client.write(head(0))
  expect(String(await once(client, 'data'))).toContain('no')
})

test('a client that never stops sending is disconnected', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  using client = await connectToHastyServer()
  client.write(head(3_000_000))
  await once(client, 'data')
  client.on('error', () => {})
  await vi.advanceTimersByTimeAsync(29_000)
  expect(client.closed).toBe(false)
  const closed = once(client, 'close')
  await vi.advanceTimersByTimeAsync(2_000)
  await closed
})

const requestHead = (method: string, path: string, length = 3_000_000) =>
  `${method} ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

test.each([
  ['GET', '/healthz'],
  ['GET', '/docs'],
  ['GET', '/metrics'],
  ['GET', '/docs/assets/swagger-ui.css'],
  ['GET', '/api/newsfeeds/topics/0/1'],
  ['GET', '/api/newsfeeds/topics/%zz/1'],
  ['DELETE', '/api/newsfeeds/topics/1/delete'],
  ['POST', '/nothing'],
  ['PURGE', '/api/newsfeeds/topics/0/1'],
])('an unfinished body of %s %s does not hold the connection for ever', async (method, path) => {
  await using t = await startTestApp()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  using client = open(t)
  client.write(requestHead(method, path))
  await once(client, 'data')
  client.on('data', () => {})
  await vi.advanceTimersByTimeAsync(29_000)
  client.write('x')
  expect(client.closed).toBe(false)
  const closed = once(client, 'close')
  await vi.advanceTimersByTimeAsync(2_000)
  await closed
})

test('an unfinished body of a repeated write does not hold the connection for ever', async () => {
  await using t = await startTestApp()
  await make.participant(t)
  await make.topic(t)
  const path = '/api/newsfeeds/topics/1/likes/1/delete'
  const like = () => t.client.likeTopic({ topic_id: 1, created_by: 1 })
  await like()
  expect(await make.send(t, 'DELETE', path)).toMatchObject({ response_code: 2000 })
  await like()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  using client = open(t)
  client.write(requestHead('DELETE', path))
  expect(String(await once(client, 'data'))).toContain('"response_code":2000')
  client.on('data', () => {})
  const closed = once(client, 'close')
  await vi.advanceTimersByTimeAsync(31_000)
  await closed
  // For the timers of `fetch`, which close its idle connections.
  vi.useRealTimers()
})

test('no timer is started for a body whose client was disconnected', async () => {
  const drained = Promise.withResolvers<number>()
  const server = createServer((request) => {
    request
      .on('error', () => {})
      .once('close', () => {
        vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
        drainRequestBody(request)
        drained.resolve(vi.getTimerCount())
      })
    client.resetAndDestroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  client.write(`${head(1_000)}{"name":"x`)
  expect(await drained.promise).toBe(0)
  server.close()
})

test('the timer for a rejected body is cancelled when its client disconnects', async () => {
  await using t = await startTestApp()
  const timers = () => process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length
  const before = timers()
  const clients = Array.from({ length: 50 }, async () => {
    const client = open(t)
    client.write(`${requestHead('POST', '/api/nothing')}{"name":"x`)
    await once(client, 'data')
    return client
  })
  for (const client of await Promise.all(clients)) client.destroy()
  await expect.poll(timers).toBeLessThan(before + clients.length / 2)
})

function open(t: TestApp) {
  const client = connect(Number(new URL(t.url).port), '127.0.0.1').on('error', () => {})
  return Object.assign(client, { [Symbol.dispose]: () => client.destroy() })
}
