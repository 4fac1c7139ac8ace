import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'

const newest = 'GET /api/newsfeeds/topics/0/1 HTTP/1.1\r\nHost: a\r\n\r\n'
const create = (name: string) => {
  const body = JSON.stringify({ name, created_by: 1 })
  const head = 'POST /api/newsfeeds/topics/create HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
  return `${head}Content-Length: ${body.length}\r\n\r\n${body}`
}

/** Sends all of it at once on one connection. @returns the header of the first topic of each answer */
async function headersOf(t: TestApp, requests: string[]): Promise<string[]> {
  const last = newest.replace('\r\n', '\r\nConnection: close\r\n')
  const socket = connect(Number(new URL(t.url).port), '127.0.0.1')
  let heard = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    heard += text
  })
  socket.write([...requests, last].join(''))
  await once(socket, 'close')
  return [...heard.matchAll(/"header":"([^"]*)"/g)].map(([, header = '']) => header).slice(0, -1)
}

test('what is sent right behind a write sees it', async () => {
  await using t = await testApp()
  const names = Array.from({ length: 40 }, (_, nth) => `T ${nth}`)
  const seen = await headersOf(
    t,
    names.flatMap((name) => [create(name), newest]),
  )
  expect(seen).toEqual(names.flatMap((name) => [name, name]))
})

test('a client that sends thousands of requests ahead of their answers gets them all', async () => {
  await using t = await testApp()
  const many = 3_000
  const seen = await headersOf(t, [create('T'), ...Array.from({ length: many }, () => newest)])
  expect(seen).toHaveLength(many + 1)
})
