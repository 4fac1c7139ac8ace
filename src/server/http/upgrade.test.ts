import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import * as make from '../../../test/make.ts'

const wish = 'Host: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n'
const page = '/api/newsfeeds/topics/0/1'
const other = JSON.stringify({ name: 'Other', created_by: 1 })

/** Sends it in two packets. @returns all that comes back */
async function send(t: TestApp, first: string, second: string): Promise<string> {
  const socket = connect(Number(new URL(t.url).port), '127.0.0.1')
    .setNoDelay()
    .on('error', () => {})
  let heard = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    heard += text
  })
  socket.write(first)
  const closed = once(socket, 'close')
  await sleep(300)
  socket.write(second)
  await closed
  return heard
}

test.each([
  ['a page', `GET ${page} HTTP/1.1\r\n${wish}\r\n`, '"response_code":1000'],
  ['bytes without an envelope', `GET /healthz HTTP/1.1\r\n${wish}\r\n`, '"status":"ok"'],
  [
    'a write',
    `POST /api/newsfeeds/topics/create HTTP/1.1\r\n${wish}Content-Type: application/json\r\n` +
      `Content-Length: ${other.length}\r\n\r\n${other}`,
    '"response_code":1000',
  ],
])('what is in the body of a request behind a wish for another protocol is not done: %s', async (_, asked, answer) => {
  await using t = await testApp()
  await make.topic(t)
  await make.send(t, 'GET', page)
  const inside = `DELETE /api/newsfeeds/topics/1/delete HTTP/1.1\r\nHost: a\r\n\r\n`
  const around =
    'POST /api/newsfeeds/topics/create HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n' +
    `Content-Length: ${inside.length}\r\n\r\n`
  const heard = await send(t, asked + around, inside)
  expect(heard.match(/^HTTP\/1\.1 200 /gm)).toHaveLength(1)
  expect(heard).toContain(answer)
  expect(heard).toMatch(/^connection: close\r$/im)
  expect(await make.codeOf(t.client.call('getTopic', { topic_id: 1 }))).toBe(1000)
})
