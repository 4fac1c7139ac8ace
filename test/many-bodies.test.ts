import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type TestApp, testApp } from './app.ts'
import * as make from './make.ts'

const size = 40_000_000
/** Nearly all of a body. */
const most = Buffer.alloc(size - 1_000, 'x')
const textPart = '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\n'

/** Begins to send a body, and waits until the server has read what was sent of it, or has answered. */
async function begin(t: TestApp, type: string, head: string) {
  const socket = connect(Number(new URL(t.url).port), '127.0.0.1').on('error', () => {})
  let heard = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    heard += text
  })
  const line = 'POST /api/newsfeeds/topics/create HTTP/1.1\r\nHost: a\r\n'
  socket.write(`${line}Content-Type: ${type}\r\nContent-Length: ${size}\r\n\r\n${head}`)
  await new Promise<void>((resolve) => socket.write(most, () => resolve()))
  await sleep(300)
  return { socket, heard: () => heard, [Symbol.dispose]: () => socket.destroy() }
}

test.each([
  ['JSON', 'application/json', '{"name":"'],
  ['text among files', 'multipart/form-data; boundary=b', textPart],
])('bodies that never end do not fill the memory: %s', async (_, type, head) => {
  await using t = await testApp({ MAX_JSON_BYTES: String(size) })
  using first = await begin(t, type, head)
  using second = await begin(t, 'application/json', '{"name":"')
  using third = await begin(t, 'application/json', '{"name":"')
  using refused = await begin(t, type, head)
  expect([first, second, third].map(({ heard }) => heard())).toEqual(['', '', ''])
  await expect.poll(refused.heard).toContain('"response_code":5030')
  expect(refused.heard()).toMatch(/^retry-after: 1\r$/im)

  // Ordinary ones are stored, and so are those in pieces.
  expect((await make.topic(t)).id).toBe('1')
  const body = JSON.stringify({ name: 'x'.repeat(1_000), body: 'x'.repeat(10_000), created_by: 1 })
  const socket = connect(Number(new URL(t.url).port), '127.0.0.1').setEncoding('utf8')
  const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`
  socket.write(`POST /api/newsfeeds/topics/create HTTP/1.1\r\nHost: a\r\n${headers}`)
  await sleep(50)
  socket.write(body)
  expect((await socket.toArray()).join('')).toContain('"response_code":1000')

  // What they held is free once they are gone.
  for (const { socket } of [first, second, third, refused]) {
    socket.destroy()
    await once(socket, 'close')
  }
  const others = async () => {
    using another = await begin(t, type, head)
    using last = await begin(t, type, head)
    return [another, last].map(({ heard }) => heard())
  }
  await expect.poll(others, { timeout: 10_000 }).toEqual(['', ''])
})

test('nor do fields whose names are all that there is of them', async () => {
  await using t = await testApp()
  const name = 'x'.repeat(16_000)
  const parts = `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n\r\n`.repeat(990)
  const head = `POST /api/newsfeeds/topics/create HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\n`
  using sockets = new DisposableStack()
  const answers: string[] = []
  for (let nth = 0; nth < 10; nth++) {
    const socket = connect(Number(new URL(t.url).port), '127.0.0.1').on('error', () => {})
    sockets.adopt(socket, () => socket.destroy())
    socket.setEncoding('utf8').on('data', (text: string) => void answers.push(text))
    socket.write(`${head}Content-Length: 20000000\r\n\r\n`)
    await new Promise<void>((resolve) => socket.write(parts, () => resolve()))
  }
  await expect.poll(() => answers.join('')).toContain('"response_code":5030')
})
