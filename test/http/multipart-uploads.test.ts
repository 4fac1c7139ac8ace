import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { startTestApp } from '../app.ts'
import * as make from '../make.ts'
import { expectNoCrashes } from './crashes.ts'
import {
  belowBase,
  codeOf,
  createPath,
  expectAlive,
  openSocket,
  postText,
  requestText,
  sendRaw,
} from './raw-requests.ts'

expectNoCrashes()

const type = 'multipart/form-data; boundary=b'
const upload = [
  '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nx\r\n',
  '--b\r\nContent-Disposition: form-data; name="created_by"\r\n\r\n1\r\n',
  '--b\r\nContent-Disposition: form-data; name="uploaded_files"; filename="a.txt"\r\n\r\n',
  'x'.repeat(100_000),
  '\r\n--b--\r\n',
].join('')
const headers = [`Content-Type: ${type}`, `Content-Length: ${upload.length}`]

test('a client that asks whether to continue is told to', async () => {
  await using t = await startTestApp()
  const request = requestText('POST', createPath, [...headers, 'Expect: 100-continue'], upload)
  const [first, ...others] = await sendRaw(t, request)
  expect(first?.status).toBe(100)
  expect(codeOf(others)).toBe(1000)
  expect(await make.blobs(t)).toHaveLength(1)
})

test.each([
  ['in a file', upload.length / 2],
  ['in a text', 60],
  ['in a header', 150],
  ['before the last line', upload.length - 4],
])('uploads that are aborted %s leave no file and no row', async (_, sent) => {
  await using t = await startTestApp()
  for (let n = 0; n < 10; n++) {
    const socket = openSocket(t)
    socket.write(belowBase(t, requestText('POST', createPath, headers, upload.slice(0, sent))))
    await sleep(n * 3)
    // Half of the connections are reset, half are closed.
    if (n % 2 === 0) socket.resetAndDestroy()
    else socket.end()
  }
  await expect.poll(() => make.blobs(t)).toEqual([])
  for (const table of ['topic', 'file', 'change'] as const)
    expect(await t.ctx.database.read.selectFrom(table).selectAll().execute()).toEqual([])
  await expectAlive(t)
})

describe('a multipart body', () => {
  test.each([
    ['without its last line', upload.slice(0, -10), 4002],
    ['that ends in a text', upload.slice(0, 60), 4002],
    ['that ends in a header', upload.slice(0, 150), 4002],
    ['that ends in a file', upload.slice(0, 5_000), 4002],
    ['that ends in a file of another name', upload.slice(0, 5_000).replace('uploaded_files', 'other'), 4002],
    [
      'with a lone surrogate in UTF-16',
      upload.replace('\r\n\r\nx', '\r\nContent-Type: text/plain; charset=utf-16le\r\n\r\n\0\xd8'),
      4002,
    ],
    [
      'with a file that has a type and no name',
      upload.replace('; filename="a.txt"', '"\r\nContent-Type: application/octet-stream'),
      1000,
    ],
  ])('%s', async (_, body, code) => {
    await using t = await startTestApp()
    const bytes = Buffer.from(body, 'latin1')
    expect(codeOf(await sendRaw(t, postText(createPath, type, bytes)))).toBe(code)
    expect(await make.blobs(t)).toHaveLength(code === 1000 ? 1 : 0)
    await expectAlive(t)
  })
})

test('a form in which no file was chosen attaches none', async () => {
  await using t = await startTestApp()
  const form = upload
    .replace('filename="a.txt"\r\n', 'filename=""\r\nContent-Type: application/octet-stream\r\n')
    .replace(/x{9,}/, '')
  const responses = await sendRaw(t, postText(createPath, type, form))
  expect(codeOf(responses)).toBe(1000)
  expect(JSON.parse(make.only(responses).body)[0].data.NewsFeed[0].content.uploaded_files).toEqual([])
  expect(await make.blobs(t)).toEqual([])
})
