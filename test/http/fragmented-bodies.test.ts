import { once } from 'node:events'
import { expect, test } from 'vitest'
import { setUpSharedApp } from '../shared-app.ts'
import { chunked, expectChunksRefused, field, head, manyChunks, open } from './fragmented-bodies.ts'

/** A limit above {@link manyChunks}, so that only the number of chunks can be refused. */
const app = setUpSharedApp({ MAX_JSON_BYTES: '4000000' })

const json = 'application/json'
const multipart = 'multipart/form-data; boundary=b'

const formWith = (content: string) =>
  `${field('name', 'Lunch')}${field('created_by', '1')}--b\r\n` +
  `Content-Disposition: form-data; name="uploaded_files"; filename="a.bin"\r\n\r\n${content}\r\n--b--\r\n`

test.each([
  ['JSON', json, '{"x":"'],
  ['a file', multipart, formWith('').slice(0, -'\r\n--b--\r\n'.length)],
])('a body in chunks of one byte is refused for good, and not received to its end: %s', (_, type, start) =>
  expectChunksRefused(app(), type, start),
)

test('a client that flushes each token of its JSON is served', async () => {
  const t = app()
  using socket = open(t)
  const links = Array.from({ length: 10 }, (_, nth) => ({ link: `https://cdn.summit.example/${nth}` }))
  const body = JSON.stringify({ name: 'Lunch', created_by: 1, uploaded_files: links, x: Array(2_000).fill('y') })
  const tokens = body.match(/"[^"]*"|[^"]/g) ?? []
  expect(tokens.length).toBeGreaterThan(4_000)
  socket.write(head(json, 'Transfer-Encoding: chunked'))
  socket.write(`${chunked(tokens)}0\r\n\r\n`)
  await once(socket, 'data')
  expect(socket.received()).toContain('"response_code":1000')
})

test('a client that sends a file of 5 MB in chunks of 100 bytes is served', async () => {
  const t = app()
  using socket = open(t)
  const pieces = formWith('y'.repeat(5_000_000)).match(/[\s\S]{1,100}/g) ?? []
  socket.write(head(multipart, 'Transfer-Encoding: chunked'))
  socket.write(`${chunked(pieces)}0\r\n\r\n`)
  await once(socket, 'data')
  expect(socket.received()).toContain('"response_code":1000')
})
