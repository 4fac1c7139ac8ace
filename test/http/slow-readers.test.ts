import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { TestApp } from '../app.ts'
import { holdWrites } from '../databases.ts'
import * as make from '../make.ts'
import { setUpSharedApp } from '../shared-app.ts'
import { waitForServer } from './wait-for-server.ts'

/** Only the timers with which the server checks the progress of its connections. */
beforeAll(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterAll(() => void vi.useRealTimers())

/** The server's end of each connection, by the port of the client. */
const serverSockets = new Map<number | undefined, Socket>()
const addServerSocket = (message: unknown) => {
  const { socket } = message as { socket: Socket }
  serverSockets.set(socket.remotePort, socket)
}
beforeAll(() => subscribe('net.server.socket', addServerSocket))
afterAll(() => unsubscribe('net.server.socket', addServerSocket))

/** More than the kernel buffers for a client that does not read. */
const size = 15_000_000
const settings = { MAX_BODY: String(size), MAX_JSON_BYTES: '40000000', MAX_FILE_BYTES: String(size) }
const intervalMs = 120_000
const cachedPage = '/api/newsfeeds/topics/0/1'

const app = setUpSharedApp(settings, async (t) => {
  await make.topic(t, { body: 'x'.repeat(size) })
  await t.client.createComment(
    { topic_id: 1, comment: 'Big', created_by: 1 },
    { files: [new File([new Uint8Array(size)], 'big.bin')] },
  )
  await make.send(t, 'GET', cachedPage)
})

/** Sends a request, and reads only when told to. */
async function openReader(t: TestApp, path: string) {
  const socket = connect(Number(new URL(t.url).port), '127.0.0.1').on('error', () => {})
  let wake = () => {}
  for (const event of ['readable', 'close']) socket.on(event, () => wake())
  const readable = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
  await readable()
  let received = 0
  /** Reads so many bytes, or to the end of the connection. */
  const read = async (bytes: number) => {
    const end = received + bytes
    while (received < end && !socket.readableEnded && !socket.destroyed) {
      const chunk = socket.read(Math.min(end - received, socket.readableLength)) as Buffer | null
      received += chunk?.length ?? 0
      if (!chunk) await readable()
    }
    await waitForServer(t)
  }
  /** Waits until the kernel accepts no more of the response. */
  const stalled = async () => {
    const server = serverSockets.get(socket.localPort) as Socket & { _handle: { writeQueueSize: number } }
    for (let before = Number.NaN; server.writableLength === 0 || server._handle.writeQueueSize !== before; ) {
      before = server._handle.writeQueueSize
      await waitForServer(t)
    }
  }
  return { socket, read, stalled, received: () => received, [Symbol.dispose]: () => socket.destroy() }
}

let uncachedPages = 0

describe.each([
  // Each limit is a page of its own.
  ['a page', () => `/api/newsfeeds/topics/0/${++uncachedPages + 1}`],
  ['a cached page', () => cachedPage],
  ['a file', () => '/api/newsfeeds/files/1/big.bin'],
])('%s', (_, pathOf) => {
  test.each([
    ['does not read', 0],
    ['reads 10 kB in two minutes', 10_000],
  ])('whose client %s is broken off', async (_, bytesPerInterval) => {
    using reader = await openReader(app(), pathOf())
    await reader.stalled()
    // Progress is measured from one check to the next, and the first bytes that are read make room for more.
    for (let interval = 0; interval < 3; interval++) {
      await reader.read(bytesPerInterval)
      vi.advanceTimersByTime(intervalMs)
    }
    await reader.read(2 * size)
    expect(reader.received()).toBeLessThan(size)
  })

  test('whose client reads 2.5 MB in two minutes is sent whole', async () => {
    using reader = await openReader(app(), pathOf())
    for (let interval = 0; interval < 4; interval++) {
      await reader.read(2_500_000)
      vi.advanceTimersByTime(intervalMs)
    }
    await reader.read(size - reader.received())
    expect(reader.received()).toBe(size)
  })
})

const emptyPage = '/api/newsfeeds/topics/1/1'

test('a connection with nothing to send yet stays open', async () => {
  using reader = await openReader(app(), emptyPage)
  await reader.read(10)
  const release = await holdWrites(app())
  const body = '{"name":"x","created_by":1}'
  const head = 'POST /api/newsfeeds/topics/create HTTP/1.1\r\nHost: a\r\nConnection: close\r\n'
  reader.socket.write(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  await waitForServer(app())
  vi.advanceTimersByTime(5 * intervalMs)
  await release()
  expect((await reader.socket.toArray()).join('').match(/"response_code":1000/g)).toHaveLength(2)
})
