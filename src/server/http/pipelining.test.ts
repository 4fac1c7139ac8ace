import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { holdWrites } from '../../../test/databases.ts'
import { create, headersOf, newest, startWithBlockedWrites } from '../../../test/http/pipelined-requests.ts'

test('a request pipelined behind a write sees it', async () => {
  await using t = await startTestApp()
  const names = Array.from({ length: 40 }, (_, nth) => `T ${nth}`)
  const seen = await headersOf(
    t,
    names.flatMap((name) => [create(name), newest]),
  )
  expect(seen).toEqual(names.flatMap((name) => [name, name]))
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
