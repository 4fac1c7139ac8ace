import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import * as make from '../../../test/make.ts'

const upgradeHeaders = 'Host: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n'
const list = '/api/newsfeeds/topics/0/1'
const other = JSON.stringify({ name: 'Other', created_by: 1 })

/** Sends bytes, and more once the response begins. @returns everything received */
async function send(t: TestApp, first: string, second: string): Promise<string> {
  const socket = connect(Number(new URL(t.url).port), '127.0.0.1')
    .setNoDelay()
    .on('error', () => {})
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  socket.write(first)
  const closed = once(socket, 'close')
  await once(socket, 'data')
  socket.write(second)
  await closed
  return received
}

test.each([
  ['a read', `GET ${list} HTTP/1.1\r\n${upgradeHeaders}\r\n`, '"response_code":1000'],
  ['bytes without an envelope', `GET /healthz HTTP/1.1\r\n${upgradeHeaders}\r\n`, '"status":"ok"'],
  [
    'a write',
    `POST /api/newsfeeds/topics/create HTTP/1.1\r\n${upgradeHeaders}Content-Type: application/json\r\n` +
      `Content-Length: ${other.length}\r\n\r\n${other}`,
    '"response_code":1000',
  ],
])('the body of a request behind an upgrade request is not parsed as a request: %s', async (_, upgrade, expected) => {
  await using t = await startTestApp()
  await make.topic(t)
  await make.send(t, 'GET', list)
  const inside = `DELETE /api/newsfeeds/topics/1/delete HTTP/1.1\r\nHost: a\r\n\r\n`
  const around =
    'POST /api/newsfeeds/topics/create HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n' +
    `Content-Length: ${inside.length}\r\n\r\n`
  const received = await send(t, upgrade + around, inside)
  expect(received.match(/^HTTP\/1\.1 200 /gm)).toHaveLength(1)
  expect(received).toContain(expected)
  expect(received).toMatch(/^connection: close\r$/im)
  expect(await make.codeOf(t.client.call('getTopic', { topic_id: 1 }))).toBe(1000)
})
