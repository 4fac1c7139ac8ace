import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { startTestApp, type TestApp } from '../app.ts'
import * as make from '../make.ts'
import { waitForServer } from './wait-for-server.ts'

/** Three bodies fit into the memory for bodies (128 MiB), a fourth does not. */
const size = 36_000_000

export const requestLine = 'POST /api/newsfeeds/topics/create HTTP/1.1\r\nHost: a\r\n'

interface Encoding {
  type: string
  start: string
  /** Makes the body malformed, so that it is refused without a slow validation. */
  end: string
  code: number
}

export const json: Encoding = { type: 'application/json', start: '{"name":"', end: '"', code: 4001 }
export const textPart: Encoding = {
  type: 'multipart/form-data; boundary=b',
  start: '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\n',
  end: 'x',
  code: 4002,
}

/** Sends all of a large body but its end. */
async function beginBody(t: TestApp, { type, start, end, code }: Encoding) {
  const socket = connect(Number(new URL(t.url).port), '127.0.0.1').on('error', () => {})
  let received = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    received += chunk
  })
  socket.write(`${requestLine}Content-Type: ${type}\r\nContent-Length: ${size}\r\n\r\n${start}`)
  const filler = Buffer.alloc(size - start.length - end.length, 'x')
  await new Promise((resolve) => socket.write(filler, resolve))
  return {
    socket,
    received: () => received,
    finish: async () => {
      socket.write(end)
      await expect.poll(() => received).toContain(`"response_code":${code}`)
    },
    [Symbol.dispose]: () => socket.destroy(),
  }
}

/** Asserts that bodies that are never finished do not fill the memory, and that small ones are accepted. */
export async function expectUnfinishedBodiesRefused(encoding: Encoding): Promise<void> {
  await using t = await startTestApp({ MAX_JSON_BYTES: String(size) })
  using first = await beginBody(t, encoding)
  using second = await beginBody(t, json)
  using third = await beginBody(t, json)
  using refused = await beginBody(t, encoding)
  await expect.poll(refused.received).toContain('"response_code":5030')
  expect(refused.received()).toMatch(/^retry-after: 1\r$/im)
  expect([first, second, third].map(({ received }) => received())).toEqual(['', '', ''])

  expect((await make.topic(t)).id).toBe('1')
  await postInTwoPieces(t, JSON.stringify({ name: 'x'.repeat(1_000), body: 'x'.repeat(10_000), created_by: 1 }))

  for (const { socket } of [first, second, third, refused]) {
    socket.destroy()
    await once(socket, 'close')
  }
  // The memory of the closed connections is free again: two other bodies fit.
  await waitForServer(t)
  using fourth = await beginBody(t, encoding)
  using fifth = await beginBody(t, json)
  for (const body of [fourth, fifth]) await body.finish()
}

async function postInTwoPieces(t: TestApp, body: string): Promise<void> {
  const socket = connect(Number(new URL(t.url).port), '127.0.0.1')
  const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`
  socket.write(`${requestLine}${headers}`)
  await waitForServer(t)
  socket.write(body)
  expect(await text(socket)).toContain('"response_code":1000')
}
