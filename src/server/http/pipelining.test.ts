import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { holdWrites } from '../../../test/databases.ts'
import { createTemporaryFolder } from '../../../test/temporary-folder.ts'
import { readConfig } from '../config/config.ts'
import { serve } from '../lifecycle/serve.ts'

const newest = 'GET /api/newsfeeds/topics/0/1 HTTP/1.1\r\nHost: a\r\n\r\n'
const create = (name: string) => {
  const body = JSON.stringify({ name, created_by: 1 })
  const head = 'POST /api/newsfeeds/topics/create HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
  return `${head}Content-Length: ${body.length}\r\n\r\n${body}`
}

/** Sends all requests at once on one connection. @returns the header of the first topic of each response */
async function headersOf(t: TestApp, requests: string[]): Promise<string[]> {
  const last = newest.replace('\r\n', '\r\nConnection: close\r\n')
  const socket = connect(Number(new URL(t.url).port), '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  socket.write([...requests, last].join(''))
  await once(socket, 'close')
  return [...received.matchAll(/"header":"([^"]*)"/g)].map(([, header = '']) => header).slice(0, -1)
}

test('a request pipelined behind a write sees it', async () => {
  await using t = await startTestApp()
  const names = Array.from({ length: 40 }, (_, nth) => `T ${nth}`)
  const seen = await headersOf(
    t,
    names.flatMap((name) => [create(name), newest]),
  )
  expect(seen).toEqual(names.flatMap((name) => [name, name]))
})

test('a client that pipelines thousands of requests gets all responses', async () => {
  await using t = await startTestApp()
  const many = 1_500
  const seen = await headersOf(t, [create('T'), ...Array.from({ length: many }, () => newest)])
  expect(seen).toHaveLength(many + 1)
})

/** Starts a server whose writes wait until the database is unlocked, and a client that sends requests to it. */
async function startWithBlockedWrites(requests: string) {
  const folder = await createTemporaryFolder()
  const { config } = readConfig({ DATA_DIR: folder.path, PORT: '0', LOG_LEVEL: 'silent' })
  const serving = await serve(config)
  const database = new DatabaseSync(join(folder.path, 'summit.db'))
  database.exec('begin immediate')
  const arrived: string[] = []
  serving.app.server.on('request', ({ method = '' }) => arrived.push(method))
  const client = connect(Number(new URL(serving.address).port), '127.0.0.1').setEncoding('utf8')
  let received = ''
  client.on('data', (text: string) => {
    received += text
  })
  client.write(requests)
  return {
    serving,
    client,
    database,
    arrived,
    countResponses: () => received.match(/"response_code"/g)?.length ?? 0,
    [Symbol.asyncDispose]: async () => {
      client.destroy()
      database.close()
      await serving.close()
      await folder.remove()
    },
  }
}

test('only a bounded number of requests is read behind a slow one', async () => {
  const many = 3_000
  await using t = await startWithBlockedWrites(create('T') + newest.repeat(many))
  await expect.poll(() => t.arrived.length).toBeGreaterThan(100)
  // While the server responds to these, it would read everything that has arrived.
  for (let nth = 0; nth < 50; nth++) await fetch(`${t.serving.address}/healthz`)
  expect(t.arrived.length).toBeLessThan(many / 2)
  t.database.exec('rollback')
  await expect.poll(t.countResponses).toBe(many + 1)
})

describe('a request that has arrived, but was not read in the time that its client has to send it,', () => {
  test('gets a response if it is behind requests that take long', async () => {
    const many = 3_000
    await using t = await startWithBlockedWrites(create('T') + newest.repeat(many))
    const { server } = t.serving.app
    server.headersTimeout = 1
    await once(server, 'clientError')
    t.database.exec('rollback')
    await expect.poll(t.countResponses).toBe(many + 1)
  })

  test('gets a response if the process was stopped meanwhile', async () => {
    await using t = await startWithBlockedWrites('')
    const { server } = t.serving.app
    await expect.poll(() => promisify(server.getConnections.bind(server))()).toBe(1)
    server.headersTimeout = 1
    const expired = once(server, 'clientError')
    // From here, the event loop runs timers before it reads.
    await new Promise(setImmediate)
    t.client.write(newest)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500)
    await expired
    await expect.poll(t.countResponses).toBe(1)
  })
})

describe('an idle connection', () => {
  /** The timeout for idle connections, which Node restarts with every byte that it receives. */
  const idleMs = 72_000

  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
  afterEach(() => void vi.useRealTimers())

  /** Sends requests and reads their responses. */
  async function connectAndSend(t: TestApp, requests: string) {
    const socket = connect(Number(new URL(t.url).port), '127.0.0.1').setEncoding('utf8')
    let received = ''
    socket.on('data', (text: string) => {
      received += text
    })
    socket.write(requests)
    const responses = () => received.match(/"response_code"/g)?.length ?? 0
    await expect.poll(responses).toBe(1)
    return { socket, responses, [Symbol.dispose]: () => socket.destroy() }
  }

  /** Sends the bytes, and waits until the server has received what was sent before. */
  async function send(t: TestApp, socket: Socket, bytes: string): Promise<void> {
    socket.write(bytes)
    await fetch(`${t.url}/healthz`, { headers: { connection: 'close' } })
  }

  test('is closed although its client sends line breaks', async () => {
    await using t = await startTestApp()
    using client = await connectAndSend(t, newest)
    // It is reset if the last line break is still unread, which `once` would take for a failure.
    client.socket.on('error', () => {})
    const closed = new Promise((resolve) => client.socket.once('close', resolve))
    for (let nth = 0; nth < 2; nth++) {
      await send(t, client.socket, '\r\n')
      vi.advanceTimersByTime(idleMs)
    }
    await closed
  })

  test('stays open while its client sends a request now and then', async () => {
    await using t = await startTestApp()
    using client = await connectAndSend(t, newest)
    for (let nth = 2; nth < 6; nth++) {
      vi.advanceTimersByTime(idleMs)
      await send(t, client.socket, `\r\n${newest}`)
      await expect.poll(client.responses).toBe(nth)
    }
  })

  test('is not one whose request is under way', async () => {
    await using t = await startTestApp()
    using client = await connectAndSend(t, newest)
    const release = await holdWrites(t)
    await send(t, client.socket, create('T'))
    vi.advanceTimersByTime(4 * idleMs)
    await release()
    await expect.poll(client.responses).toBe(2)
  })
})

test('a write pipelined behind a response that closes the connection is not executed', async () => {
  await using t = await startWithBlockedWrites(create('done') + create('not done'))
  await expect.poll(() => t.arrived).toEqual(['POST', 'POST'])
  const ended = once(t.client, 'close')
  const closed = t.serving.close()
  // From now on each response closes its connection.
  await expect.poll(() => t.serving.app.server.listening).toBe(false)
  t.database.exec('rollback')
  await ended
  await closed
  expect(t.countResponses()).toBe(1)
  expect(t.database.prepare('select header from topic').all()).toEqual([{ header: 'done' }])
})
