import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type TestApp, testApp } from './app.ts'
import { holdWrites } from './databases.ts'
import * as make from './make.ts'

/** Of the server, whose watch is moved by hand. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

const size = 15_000_000
const settings = { MAX_BODY: '30000000', MAX_JSON_BYTES: '40000000', MAX_FILE_BYTES: String(size) }
const spanMs = 120_000
const page = '/api/newsfeeds/topics/0/1'

/** Asks, and reads nothing by itself; until the answer has begun. */
async function ask(t: TestApp, path: string) {
  const socket = connect(Number(new URL(t.url).port), '127.0.0.1').on('error', () => {})
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
  await once(socket, 'readable')
  let heard = 0
  const read = async (bytes: number) => {
    for (const most = heard + bytes; heard < most && !socket.readableEnded; ) {
      const piece = socket.read(Math.min(most - heard, socket.readableLength)) as Buffer | null
      heard += piece?.length ?? 0
      if (!piece) await sleep(10)
    }
    // For the server to see it.
    await sleep(100)
  }
  return { socket, read, heard: () => heard, [Symbol.dispose]: () => socket.destroy() }
}

const large = (t: TestApp) => make.topic(t, { body: 'x'.repeat(size) })

const file = async (t: TestApp) => {
  await t.client.createTopic({ name: 'Big', created_by: 1 }, { files: [new File([new Uint8Array(size)], 'big.bin')] })
}

describe.each([
  ['a page', page, large],
  [
    'a page that is known',
    page,
    async (t: TestApp) => {
      await large(t)
      await make.send(t, 'GET', page)
    },
  ],
  ['a file', '/api/newsfeeds/files/1/big.bin', file],
])('%s', (_, path, begin) => {
  test.each([
    ['that nobody reads', 0],
    ['that is read a little now and then', 10_000],
  ])('%s is given up', async (_, inSpan) => {
    await using t = await testApp(settings)
    await begin(t)
    using reader = await ask(t, path)
    for (let span = 0; span < 3; span++) {
      await reader.read(inSpan)
      vi.advanceTimersByTime(spanMs)
    }
    await reader.read(2 * size)
    expect(reader.socket.readableEnded).toBe(true)
    expect(reader.heard()).toBeLessThan(size)
  })

  test('that is read slowly is waited for', async () => {
    await using t = await testApp(settings)
    await begin(t)
    using reader = await ask(t, path)
    for (let span = 0; span < 4; span++) {
      await reader.read(2_500_000)
      vi.advanceTimersByTime(spanMs)
    }
    await reader.read(size - reader.heard())
    expect(reader.heard()).toBe(size)
  })
})

test('a connection to which nothing is to be sent yet is left alone', async () => {
  await using t = await testApp()
  using reader = await ask(t, page)
  await reader.read(10)
  const release = await holdWrites(t)
  const body = '{"name":"x","created_by":1}'
  const head = 'POST /api/newsfeeds/topics/create HTTP/1.1\r\nHost: a\r\nConnection: close\r\n'
  reader.socket.write(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  await fetch(`${t.url}/healthz`)
  vi.advanceTimersByTime(5 * spanMs)
  await release()
  expect((await reader.socket.toArray()).join('').match(/"response_code":1000/g)).toHaveLength(2)
})

test('pages that many do not read do not fill the memory: large ones are refused, others are not', async () => {
  await using t = await testApp(settings)
  await make.topic(t, { body: 'x'.repeat(27_000_000) })
  await make.topic(t, { name: 'Small' })
  const all = '/api/newsfeeds/topics/0/10'
  const readers: Awaited<ReturnType<typeof ask>>[] = []
  for (let nth = 0; nth < 9; nth++) {
    readers.push(await ask(t, all))
    // Those of one second share its bytes.
    t.advance(1_000)
  }
  const { response_code, headers } = await make.send(t, 'GET', all)
  expect(response_code).toBe(5030)
  expect(headers.get('retry-after')).toBe('1')
  expect(await make.send(t, 'GET', '/api/newsfeeds/topics/1/details')).toMatchObject({ response_code: 5030 })
  expect(await make.send(t, 'GET', page)).toMatchObject({ response_code: 1000 })
  for (const { socket } of readers) socket.destroy()
  await expect.poll(async () => (await make.send(t, 'GET', all)).response_code, { timeout: 10_000 }).toBe(1000)
})
