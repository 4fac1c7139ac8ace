import { connect } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import { setUpSharedApp } from '../../../../test/shared-app.ts'
import { releaseChunks } from './multipart.ts'

const create = '/api/newsfeeds/topics/create'
const disposition = (parameters: string) => `Content-Disposition: form-data; ${parameters}`
const part = (headers: string, content = '') => `--b\r\n${headers}\r\n\r\n${content}\r\n`
const topic = part(disposition('name="name"'), 'Lunch') + part(disposition('name="created_by"'), '1')

/** Posts a form, its characters as Latin-1 bytes. */
async function post(t: TestApp, body: string, { path = create, boundary = 'b' } = {}) {
  const response = await fetch(t.url + path, {
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.from(body, 'latin1'),
  })
  const [{ response_code, data }] = JSON.parse(await response.text())
  return { code: response_code as number, data, files: data.NewsFeed?.[0].content.uploaded_files ?? [] }
}

const fetchBytes = async (link: string) => Buffer.from(await (await fetch(link)).arrayBuffer()).toString('latin1')

describe('a file in a form is stored', () => {
  const app = setUpSharedApp()
  const file = disposition('name="uploaded_files"; filename="a.txt"')

  test.each([
    [
      'whose extended name contains a line break',
      part(disposition(`name="uploaded_files"; filename*=UTF-8''a%0A.txt`), 'x'),
    ],
    [
      'with both a plain and an extended name',
      part(disposition(`name="uploaded_files"; filename*=UTF-8''b.txt; filename=a.txt`), 'x'),
    ],
    [
      'whose header is folded',
      part('Content-Disposition: form-data;\r\n name="uploaded_files";\r\n\tfilename="a.txt"', 'x'),
    ],
    ['after a delimiter with trailing blanks', part(file, 'x').replace('--b', '--b \t ')],
    ['whose headers are in capitals', part(file.toUpperCase().replace('UPLOADED_FILES', 'uploaded_files'), 'x')],
    ['that has 40 more headers', part(`${file}\r\n${'X-Y: z\r\n'.repeat(40)}X-Y: z`, 'x')],
    [
      'whose name has 9,000 letters',
      part(disposition(`name="uploaded_files"; filename="${'a'.repeat(9_000)}.txt"`), 'x'),
    ],
    ['behind a preamble', `This is a form.\r\n${part(file, 'x')}`],
  ])('%s', async (_, parts) => {
    const { code, files } = await post(app(), `${parts.startsWith('This') ? parts + topic : topic + parts}--b--`)
    expect(code).toBe(1000)
    expect(files).toHaveLength(1)
    expect(await fetchBytes(files[0].link)).toBe('x')
    expect(new URL(files[0].link).pathname).toMatch(/a*\.(txt|TXT)$/)
  })

  test('that is empty and named like a folder', async () => {
    const { files } = await post(app(), `${topic}${part(disposition('name="uploaded_files"; filename=".."'))}--b--`)
    expect(files).toHaveLength(1)
  })

  test.each([
    ['that contains near-delimiters', '\r\n--\r\n-b\r\n--a\r\n\n--b\r\n--b--\r\r\n--'],
    ['that ends in a possible start of a delimiter', 'x\r\n\r\n-\r'],
    ['that is empty', ''],
  ])('%s', async (_, content) => {
    // Within a line there is no delimiter.
    const bytes = content.replaceAll('\r\n--b', '\r\n --b')
    const { files } = await post(app(), `${topic}${part(file, bytes)}--b--`)
    expect(await fetchBytes(files[0].link)).toBe(bytes)
  })

  test('before an epilogue', async () => {
    const form = `${topic}${part(file, 'x')}--b-- \r\nThat was a form.\r\n--c\r\n${'x'.repeat(100_000)}`
    expect((await post(app(), form)).files).toHaveLength(1)
  })

  test('under a quoted boundary', async () => {
    const boundary = "a b'()+_,-./:=?"
    const form = `${topic}${part(file, 'x')}--b--`.replaceAll('--b', `--${boundary}`)
    expect((await post(app(), form, { boundary: `"${boundary}"; charset=utf-8` })).files).toHaveLength(1)
  })
})

describe('a form with an unacceptable part is rejected, and nothing of it is stored:', () => {
  const file = disposition('name="uploaded_files"; filename="a.txt"')
  const good = part(file, 'y')
  const app = setUpSharedApp()

  test.each([
    ['headers that end in a bare LF', `--b\r\nContent-Type: text/plain\n${file}\r\n\r\nx\r\n`],
    ['a header behind a bare LF', part(`X: y\n${file}`, 'x')],
    ['a header behind a bare CR', part(`X: y\r${file}`, 'x')],
    ['a header without a colon', part(`x\r\n${file}`, 'x')],
    ['a space before a colon', part(file.replace(':', ' :'), 'x')],
    ['too many headers', part(`${Array.from({ length: 60 }, (_, nth) => `X-${nth}: y\r\n`).join('')}${file}`, 'x')],
    ['too many headers behind its disposition', part(`${file}${'\r\nX: y'.repeat(60)}`, 'x')],
    ['too long a header', part(`X: ${'y'.repeat(20_000)}\r\n${file}`, 'x')],
    ['another disposition', part(file.replace('form-data', 'attachment'), 'x')],
    ['two dispositions', part(`${file}\r\n${disposition('name="x"')}`, 'x')],
    ['no disposition', part('Content-Type: text/plain', 'x')],
    ['no headers', '--b\r\n\r\nx\r\n'],
    ['no name', part(disposition('filename="a.txt"'), 'x')],
    ['two names', part(disposition('name="x"; name="uploaded_files"; filename="a.txt"'), 'x')],
    ['a quote that is never closed', part(disposition('name="uploaded_files"; filename="a.txt'), 'x')],
    ['an unknown charset', part(disposition(`name="uploaded_files"; filename*=x'y'z`), 'x')],
    [
      'parts of its own',
      part(`${disposition('name="uploaded_files"')}\r\nContent-Type: multipart/mixed; boundary=c`, 'x'),
    ],
    ['headers cut off by a delimiter', `--b\r\n${file}\r\n`],
    ['a line that only starts like a delimiter', part(file, 'x').replace('--b', '--bc')],
    ['a delimiter behind the end', `--b--\r\n${part(file, 'x')}`],
    ['no end of its headers', `--b\r\n${file}`],
  ])('%s', async (_, odd) => {
    const t = app()
    expect((await post(t, `${topic}${good}${odd}--b--\r\n`)).code).toBe(4002)
    expect((await post(t, `${odd}${topic}${good}--b--\r\n`)).code).toBe(4002)
    expect((await t.client.listTopics({ offset: 0, limit: 1 })).NewsFeed).toEqual([])
    expect(await make.blobs(t)).toEqual([])
  })

  test.each(['', 'boundary', 'boundary=', 'boundary=""', `boundary=${'b'.repeat(71)}`, 'boundary=b; boundary=c'])(
    'an invalid boundary: %j',
    async (parameter) => {
      const headers = { 'content-type': `multipart/form-data; ${parameter}` }
      const response = await fetch(app().url + create, { method: 'POST', headers, body: `${topic}--b--` })
      expect(await response.text()).toContain('"response_code":4002')
    },
  )

  test.each([
    ['under another name', create, 'avatar', 'avatar'],
    ['under no name', create, '', ''],
    ['for an operation without files', '/api/feedback/add', 'uploaded_files', 'uploaded_files'],
    ['under a very long name', create, 'x'.repeat(9_000), 'x'.repeat(255)],
  ])('a file %s', async (_, path, name, field) => {
    await using t = await startTestApp()
    const stray = part(disposition(`name="${name}"; filename="a.txt"`), 'x')
    const { code, data } = await post(t, `${topic}${stray}--b--`, { path })
    expect(code).toBe(4220)
    expect(data.fields).toMatchObject([{ field, in: 'body', reason: 'UNEXPECTED_FILE' }])
    expect(await make.blobs(t)).toEqual([])
    // An empty file input has no file.
    const empty = part(disposition(`name="${name}"; filename=""`))
    expect((await post(t, `${topic}${empty}--b--`, { path })).code).toBe(1000)
  })
})

/** Parts of every kind, by their expected outcome. */
const kinds = {
  stored: (content: string) => part(disposition('name="uploaded_files[]"; filename="a"'), content),
  // Text has to be UTF-8.
  unknown: (content: string) => part(disposition('name="unknown"'), content.replaceAll('\xff', 'y')),
  'empty input': () => part(disposition('name="photo"; filename=""')),
  stray: (content: string) => part(disposition('name="photo"; filename="a"'), content),
  malformed: (content: string) => part('Content-Disposition: attachment', content),
}
type Kind = keyof typeof kinds

const content = fc
  .array(fc.constantFrom('\r', '\n', '\r\n', '-', '--', '--b', 'b', 'x', '\0', '\xff', ' ', 'x'.repeat(20_000)), {
    maxLength: 12,
  })
  .map((pieces) => pieces.join('').replaceAll('\r\n--b', '\r\n-b'))
  // The line break after the headers must not start a delimiter either.
  .map((text) => (text.startsWith('--b') ? `x${text}` : text))

test('every part of a form is stored, ignored by a rule, or rejected, wherever the form is split', async () => {
  await using t = await startTestApp()
  const kind = fc.constantFrom<Kind>('stored', 'stored', 'unknown', 'unknown', 'empty input', 'stray', 'malformed')
  const parts = fc.array(fc.tuple(kind, content), { maxLength: 8 })
  const splits = fc.array(fc.nat(), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(parts, splits, async (sent, at) => {
      const body = `${topic}${sent.map(([kind, text]) => kinds[kind](text)).join('')}--b--\r\n`
      const { response_code, data } = await postSplit(t, Buffer.from(body, 'latin1'), at)
      const contentsOf = (kind: Kind) => sent.filter(([of]) => of === kind).map(([, text]) => text)
      if (contentsOf('malformed').length > 0) {
        expect(response_code).toBe(4002)
        return
      }
      if (contentsOf('stray').length > 0) {
        const names = data.fields.map(({ field }: { field: string }) => field)
        expect(names).toEqual(contentsOf('stray').map(() => 'photo'))
        return
      }
      expect(response_code).toBe(1000)
      const { uploaded_files } = data.NewsFeed[0].content
      const stored = uploaded_files.map(({ link }: { link: string }) => fetchBytes(link))
      expect(await Promise.all(stored)).toEqual(contentsOf('stored'))
    }),
    { numRuns: 60 },
  )
})

/** Sends a form in chunks that end at these offsets. */
function postSplit(t: TestApp, body: Buffer, offsets: number[]) {
  const ends = [...new Set([...offsets.map((offset) => offset % body.length), body.length])].sort((a, b) => a - b)
  const chunks = ends.map((end, nth) => body.subarray(ends[nth - 1] ?? 0, end)).filter(({ length }) => length > 0)
  const socket = connect(Number(new URL(t.url).port), '127.0.0.1')
    .setNoDelay()
    .setEncoding('utf8')
  socket.write(
    `POST ${new URL(t.url + create).pathname} HTTP/1.1\r\nHost: ${new URL(t.url).host}\r\nConnection: close\r\n`,
  )
  socket.write('Content-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n')
  for (const chunk of chunks) {
    socket.write(`${chunk.length.toString(16)}\r\n`)
    socket.write(chunk)
    socket.write('\r\n')
  }
  socket.write('0\r\n\r\n')
  return socket.toArray().then((texts) => JSON.parse(texts.join('').split('\r\n\r\n')[1] ?? '')[0])
}

async function* streamOf(chunks: Uint8Array[]) {
  yield* chunks
}

test('the memory of a chunk is freed when the next one is requested, and not before', async () => {
  const chunks = [new Uint8Array(20_000).fill(1), new Uint8Array(30_000).fill(2)]
  const seen: number[] = []
  for await (const chunk of releaseChunks(streamOf(chunks))) {
    seen.push(chunk.length)
    expect(chunks.map(({ buffer }) => buffer.byteLength > 0)).toEqual(seen.length === 1 ? [true, true] : [false, true])
  }
  expect(seen).toEqual([20_000, 30_000])
  expect(chunks.map(({ buffer }) => buffer.byteLength)).toEqual([0, 0])
})

test('the memory of a chunk that is part of a larger buffer is not freed', async () => {
  const larger = new Uint8Array(60_000).fill(3)
  const parts = [larger.subarray(0, 30_000), larger.subarray(30_000)]
  for await (const _ of releaseChunks(streamOf(parts)));
  expect(larger.every((byte) => byte === 3)).toBe(true)
  expect(larger.length).toBe(60_000)
})

test('a small chunk is not freed', async () => {
  const small = new Uint8Array(255).fill(4)
  for await (const _ of releaseChunks(streamOf([small])));
  expect(small.length).toBe(255)
})
