import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Compile } from 'typebox/compile'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { FailureEnvelope } from '../src/contract/envelope.ts'
import { defaultLimits } from '../src/contract/limits.ts'
import { type TestApp, testApp } from './app.ts'
import * as make from './make.ts'

// Bytes as no client of good will sends them, over sockets of our own. Whatever is HTTP gets an envelope under /api;
// whatever is not gets a status line and the end of the connection; and nobody waits.

const list = '/api/newsfeeds/topics/0/10'
const create = '/api/newsfeeds/topics/create'
/** No answer here may take longer; most take a few milliseconds. */
const timeoutMs = 4_000

interface StoredResponse {
  status: number
  headers: string
  body: string
}

/** What comes back for these bytes, or for what is done with the socket, until the server ends the connection. */
async function send(
  t: TestApp,
  ...steps: (string | Buffer | ((socket: Socket) => Promise<void>))[]
): Promise<StoredResponse[]> {
  const socket = open(t)
  const heard: Buffer[] = []
  const ended = new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => heard.push(chunk))
    // A server that has said why it stops listening may cut off what is still being sent.
    socket.on('error', (error) => (heard.length > 0 ? resolve() : reject(error)))
    socket.on('close', () => resolve())
    const late = () => reject(new Error(`still open: ${Buffer.concat(heard).toString().slice(0, 300)}`))
    socket.setTimeout(timeoutMs, late)
  })
  for (const step of steps) {
    if (typeof step === 'function') await step(socket)
    else socket.write(step)
  }
  await ended.finally(() => socket.destroy())
  return answersIn(Buffer.concat(heard))
}

const open = (t: TestApp): Socket => connect(Number(new URL(t.url).port), '127.0.0.1')

function answersIn(bytes: Buffer): StoredResponse[] {
  if (bytes.length === 0) return []
  const end = bytes.indexOf('\r\n\r\n')
  const headers = bytes.subarray(0, end).toString()
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(headers)?.[1])
  const length = status === 100 ? 0 : Number(/^content-length: (\d+)$/im.exec(headers)?.[1])
  const rest = bytes.subarray(end + 4)
  return [
    { status, headers, body: rest.subarray(0, length).toString() },
    ...answersIn(rest.subarray(Math.min(length, rest.length))),
  ]
}

const failure = Compile(FailureEnvelope)

/** The response_code of the one answer that there must be, a legal envelope. */
function codeIn(answers: StoredResponse[]): number {
  const { status, headers, body } = make.only(answers)
  expect(status, headers).toBe(200)
  expect(headers.match(/^vary: .*$/gim)).toEqual(
    ['vary: Accept'].map((line) => expect.stringMatching(new RegExp(line, 'i'))),
  )
  expect(headers).toMatch(/^content-type: application\/json; charset=UTF-8$/im)
  expect(headers).toMatch(/^request-id: \S+$/im)
  const envelope = JSON.parse(body)
  const { response_code } = envelope[0]
  if (response_code >= 4000) expect(failure.Errors(envelope)).toEqual([])
  return response_code
}

/** A request that says that it is the last one of its connection. */
const request = (method: string, path: string, headers: string[] = [], body: string | Buffer = ''): Buffer =>
  Buffer.concat([
    Buffer.from([`${method} ${path} HTTP/1.1`, 'Host: a', 'Connection: close', ...headers, '', ''].join('\r\n')),
    Buffer.from(body),
  ])

const post = (path: string, type: string, body: string | Buffer): Buffer =>
  request('POST', path, [`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(body)}`], body)

const chunked = (...pieces: string[]): string =>
  [...pieces, ''].map((piece) => `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`).join('')

async function expectAlive(t: TestApp): Promise<void> {
  expect(codeIn(await send(t, request('GET', list)))).toBe(1000)
}

/** What would have ended the process, had this been its only server. */
const crashes: unknown[] = []
const onCrash = (error: unknown) => void crashes.push(error)
const ends = ['uncaughtException', 'unhandledRejection']
beforeAll(() => ends.forEach((end) => void process.on(end, onCrash)))
afterAll(() => ends.forEach((end) => void process.off(end, onCrash)))
afterEach(() => expect(crashes.splice(0)).toEqual([]))

/** One server hears most of this, one thing after the other. */
let t: TestApp
beforeAll(async () => {
  t = await testApp()
  await make.topic(t)
  await make.event(t)
})
afterAll(() => t[Symbol.asyncDispose]())

describe('addresses', () => {
  test.each([
    ['that cannot be decoded', '/api/newsfeeds/topics/%zz/details', 4000],
    ['that are cut off in an escape', '/api/newsfeeds/topics/1/10%', 4000],
    ['that are no UTF-8', '/api/newsfeeds/topics/%ff/details', 4000],
    ['with an overlong slash', '/api/newsfeeds/topics/%c0%af/details', 4000],
    ['with NUL', '/api/newsfeeds/topics/%00/details', 4220],
    ['with an escaped slash', '/api/newsfeeds/topics/1%2f2/details', 4220],
    ['with 10,000 letters', `/api/newsfeeds/topics/${'x'.repeat(10_000)}/details`, 4220],
    ['with 10,000 digits', `/api/newsfeeds/topics/0/${'9'.repeat(10_000)}`, 4220],
    ['with 10,000 letters for a file', `/api/newsfeeds/files/1/${'x'.repeat(10_000)}`, 4040],
    ['with 5,000 segments', `/api${'/a'.repeat(5_000)}`, 4041],
    ['of nothing', '/api', 4041],
    ['with dots', '/api/../api/newsfeeds/topics/0/10', 4041],
    ['with two slashes', '/api//newsfeeds/topics/0/10', 1000],
    ['with two slashes in front, of a base URL that ends in one', '//api/newsfeeds/topics/0/10', 1000],
    ['with two slashes in front and wrong', '//api/newsfeeds/topics/x/10', 4220],
    ['with two slashes in front and of nothing', '//api/nothing', 4041],
    ['with escaped letters', '/%61pi/newsfeeds/topics/x/10', 4220],
    ['with escaped letters and of nothing', '/%61pi/nothing', 4041],
    ['with a number of 10,000 zeros', `/api/newsfeeds/topics/${'0'.repeat(10_000)}/10`, 1000],
    ['with an id behind 30 zeros', `/api/newsfeeds/topics/${'0'.repeat(30)}1/details`, 1000],
    ['that are whole', 'http://a/api/newsfeeds/topics/0/10', 1000],
    ['that are whole and wrong', 'http://a/api/newsfeeds/topics/x/10', 4220],
    ['that are whole and of nothing', 'HTTP://a/api/nothing', 4041],
    ['with a query that cannot be decoded', `${list}?x=%zz&__proto__[x]=1`, 1000],
    ['with a query of 10,000 letters', `${list}?${'x'.repeat(10_000)}`, 1000],
  ])('%s', async (_, path, code) => {
    expect(codeIn(await send(t, request('GET', path)))).toBe(code)
    await expectAlive(t)
  })
})

test.each(['/apifoo', '/api-docs', '//apifoo', '/%61pifoo'])('%s is not under /api: 404', async (path) => {
  const { status, headers } = make.only(await send(t, request('GET', path)))
  expect(status).toBe(404)
  expect(headers).toMatch(/^content-type: application\/problem\+json/im)
})

test('a Host that ends in the beginning of a known path is not a host', async () => {
  const asked = (path: string, host: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
  expect(codeIn(await send(t, asked(list, 'a')))).toBe(1000)
  const [answer] = await send(t, asked(list.slice('/api'.length), 'a/api'))
  expect(answer?.status).toBe(404)
})

describe('headers', () => {
  const get = (...headers: string[]) => [`GET ${list} HTTP/1.1`, 'Connection: close', ...headers, '', ''].join('\r\n')

  test.each([
    ['no Host', [], 4000],
    ['two Hosts', ['Host: a', 'Host: b'], 4000],
    ['the same Host twice', ['Host: a', 'host: a'], 4000],
    ['an empty Host', ['Host:'], 4000],
    ['a Host with a port that there cannot be', ['Host: a:65536'], 4000],
    ['a Host with the last port', ['Host: a:65535'], 1000],
    ['a Host with a path', ['Host: evil/../x'], 4000],
    ['a Host with a user', ['Host: user@evil'], 4000],
    ['a Host with a space', ['Host: a b'], 4000],
    ['a Host of HTML', ['Host: "><script>'], 4000],
    ['a Host of 10,000 letters', [`Host: ${'a'.repeat(10_000)}`], 4000],
    ['an unknown Expect', ['Host: a', 'Expect: the-unexpected'], 4000],
    ['500 kinds of Accept', ['Host: a', `Accept: ${'application/problem+json;q=0,'.repeat(500)}`], 1000],
    ['a Cookie of 10,000 letters', ['Host: a', `Cookie: ${'a=b; '.repeat(2_000)}`], 1000],
    ['a wish for another protocol', ['Host: a', 'Upgrade: h2c, websocket', 'HTTP2-Settings: AAMAAABk'], 1000],
    ['bytes that are not ASCII', ['Host: a', 'X: Grüße', 'Accept: ÿ'], 1000],
    ['a Range', ['Host: a', 'Range: bytes=0-1'], 1000],
    ['a nonsensical type for no body', ['Host: a', 'Content-Type: ;;;'], 1000],
  ])('%s', async (_, headers, code) => {
    expect(codeIn(await send(t, get(...headers)))).toBe(code)
    await expectAlive(t)
  })

  test('an unknown Expect at an address of nothing is not what is wrong', async () => {
    expect(codeIn(await send(t, request('POST', '/api/nothing', ['Expect: the-unexpected'])))).toBe(4041)
  })

  test.each([
    ['one that is too long', [`X: ${'x'.repeat(20_000)}`]],
    ['together too long', Array.from({ length: 3_000 }, () => 'X: y')],
  ])('%s: 431, and the end of the connection', async (_, headers) => {
    expect(make.only(await send(t, get('Host: a', ...headers)))).toMatchObject({ status: 431, body: '' })
    await expectAlive(t)
  })
})

describe('bytes that are not HTTP', () => {
  const head = `POST ${create} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`
  const body = '{"name":"x","created_by":1}'

  test.each([
    ['words', 'GARBAGE\r\n\r\n'],
    ['zeros', '\0\0\0\0\0\0\0\0'],
    ['TLS', Buffer.from('16030100c8010000c4030300', 'hex')],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['HTTP/9.9', `GET ${list} HTTP/9.9\r\nHost: a\r\n\r\n`],
    ['a method that nobody knows', `FROBNICATE ${list} HTTP/1.1\r\nHost: a\r\n\r\n`],
    ['an address without a slash', 'GET api/x HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['lines that end in LF', `GET ${list} HTTP/1.1\nHost: a\n\n`],
    ['a header without a colon', `GET ${list} HTTP/1.1\r\nHost a\r\n\r\n`],
    ['a space before a colon', `GET ${list} HTTP/1.1\r\nHost : a\r\n\r\n`],
    ['a folded header', `GET ${list} HTTP/1.1\r\nHost: a\r\n b\r\n\r\n`],
    ['NUL in a header', `GET ${list} HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n`],
    ['a length and chunks', `${head}Content-Length: 27\r\nTransfer-Encoding: chunked\r\n\r\n${body}`],
    ['two lengths', `${head}Content-Length: 27\r\nContent-Length: 0\r\n\r\n${body}`],
    ['a list of lengths', `${head}Content-Length: 27, 27\r\n\r\n${body}`],
    ['a negative length', `${head}Content-Length: -1\r\n\r\n${body}`],
    ['a length with a sign', `${head}Content-Length: +27\r\n\r\n${body}`],
    ['a length beyond all numbers', `${head}Content-Length: ${'9'.repeat(30)}\r\n\r\n${body}`],
    ['an unknown transfer encoding', `${head}Transfer-Encoding: xchunked\r\n\r\n${chunked(body)}`],
    ['chunks within something else', `${head}Transfer-Encoding: chunked, identity\r\n\r\n${chunked(body)}`],
    ['a chunk of no length', `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n${body}\r\n0\r\n\r\n`],
    [
      'a chunk with a long remark',
      `${head}Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
    ],
  ])('%s: 400, and nothing is stored', async (_, bytes) => {
    const before = await t.ctx.database.read.selectFrom('change').selectAll().orderBy('id').execute()
    expect(make.only(await send(t, bytes))).toMatchObject({ status: 400, body: '' })
    expect(await t.ctx.database.read.selectFrom('change').selectAll().orderBy('id').execute()).toEqual(before)
  })
})

describe('methods', () => {
  test.each([
    ['GET', list, 1000],
    ['OPTIONS', list, 4050],
    ['PATCH', list, 4050],
    ['TRACE', list, 4050],
    ['OPTIONS', '/api/nothing', 4041],
    ['PROPFIND', list, 4050],
    ['PATCH', '/%61pi/newsfeeds/topics/%63reate', 4050],
    ['PATCH', `/${list}`, 4050],
    ['MKCOL', create, 4050],
    ['PURGE', '/api/newsfeeds/topics/1/details/', 4050],
    ['PROPFIND', '/api/nothing', 4041],
    ['QUERY', list, 4050],
    ['QUERY', '/api/nothing', 4041],
  ])('%s %s: %i', async (method, path, code) => {
    expect(codeIn(await send(t, request(method, path)))).toBe(code)
  })

  test.each([list, create, '/api/nothing', '/api/newsfeeds/topics/x/details', '/api/program/banner/get/1'])(
    'HEAD %s answers the headers alone',
    async (path) => {
      const { status, headers, body } = make.only(await send(t, request('HEAD', path)))
      expect({ status, body }).toEqual({ status: 200, body: '' })
      expect(Number(/^content-length: (\d+)$/im.exec(headers)?.[1])).toBeGreaterThan(100)
    },
  )

  test.each(['evil.example:443', list])('CONNECT %s is hung up on', async (to) => {
    expect(await send(t, `CONNECT ${to} HTTP/1.1\r\nHost: evil.example\r\n\r\n`)).toEqual([])
    await expectAlive(t)
  })

  test('DELETE takes a JSON content type and nothing else', async () => {
    const headers = ['Content-Type: application/json', 'Content-Length: 0']
    expect(codeIn(await send(t, request('DELETE', '/api/newsfeeds/topics/1/delete', headers)))).toBe(2000)
  })
})

describe('JSON nested 100,000 deep', () => {
  const deepArray = '['.repeat(100_000) + ']'.repeat(100_000)
  const deepObject = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
  test.each([
    ['an unknown member', `{"name":"x","created_by":1,"x":${deepArray}}`, 1000],
    ['an unknown member of objects', `{"name":"x","created_by":1,"x":${deepObject}}`, 1000],
    ['the name', `{"name":${deepArray},"created_by":1}`, 4220],
    ['the author', `{"name":"x","created_by":${deepObject}}`, 4220],
    ['the files', `{"name":"x","created_by":1,"uploaded_files":${deepArray}}`, 4220],
    ['the whole body', deepArray, 4220],
    ['the whole body, of objects', deepObject, 4220],
    ['what is never closed', '['.repeat(100_000), 4001],
  ])('as %s', async (_, body, code) => {
    expect(codeIn(await send(t, post(create, 'application/json', body)))).toBe(code)
    await expectAlive(t)
  })
})

describe('bodies over the limit', () => {
  const big = 'x'.repeat(200_000)
  const boundary = 'multipart/form-data; boundary=b'
  const file = '--b\r\nContent-Disposition: form-data; name="uploaded_files"; filename="a"\r\n\r\n'
  const field = '\r\n--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n'

  test.each(['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b'])(
    'announced as %s and never sent: refused at once',
    async (type) => {
      await using t = await testApp()
      const start = performance.now()
      const announced = [`Content-Type: ${type}`, 'Content-Length: 999999999999']
      expect(codeIn(await send(t, request('POST', create, announced)))).toBe(4130)
      expect(performance.now() - start).toBeLessThan(3_000)
      // How it is written is looked at after its size.
      expect(codeIn(await send(t, request('POST', create, [...announced, 'Content-Encoding: gzip'])))).toBe(4130)
    },
  )

  test.each([
    ['JSON', 'application/json', Array.from({ length: 8 }, () => big)],
    ['a form', 'application/x-www-form-urlencoded', ['name=', ...Array.from({ length: 8 }, () => big)]],
    ['a file', boundary, [file, ...Array.from({ length: 3 }, () => big)]],
    ['text among files', boundary, Array.from({ length: 8 }, () => field + big)],
    ['what follows the last part', boundary, ['--b--', ...Array.from({ length: 30 }, () => big)]],
    ['what precedes the first part', boundary, Array.from({ length: 30 }, () => big)],
    ['too many parts', boundary, [`${field}x`.repeat(10_000)]],
  ])('in chunks, of %s', async (_, type, pieces) => {
    await using t = await testApp({ MAX_FILE_BYTES: '300000' })
    const headers = [`Content-Type: ${type}`, 'Transfer-Encoding: chunked']
    expect(codeIn(await send(t, request('POST', create, headers), chunked(...pieces)))).toBe(4130)
    expect(await blobsOf(t)).toEqual([])
    await expectAlive(t)
  })

  test('reach a fetch client as an answer, not as a broken connection', async () => {
    await using t = await testApp()
    const { envelope } = await t.client.call('createTopic', {
      name: 'x'.repeat(4 * defaultLimits.jsonBytes),
      created_by: 1,
    })
    expect(envelope.response_code).toBe(4130)
    const file = new File([new Uint8Array(defaultLimits.fileBytes + 1)], 'big.bin')
    const upload = await t.client.call('createTopic', { name: 'x', created_by: 1 }, { files: [file] })
    expect(upload.envelope.response_code).toBe(4130)
  })
})

/** The files that are kept or being received. */
async function blobsOf(t: TestApp): Promise<string[]> {
  const entries = await readdir(join(t.dataDir, 'blobs'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

describe('uploads', () => {
  const upload = [
    '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nx\r\n',
    '--b\r\nContent-Disposition: form-data; name="created_by"\r\n\r\n1\r\n',
    '--b\r\nContent-Disposition: form-data; name="uploaded_files"; filename="a.txt"\r\n\r\n',
    'x'.repeat(100_000),
    '\r\n--b--\r\n',
  ].join('')
  const headers = ['Content-Type: multipart/form-data; boundary=b', `Content-Length: ${upload.length}`]

  test('that ask first whether to go on are told to', async () => {
    await using t = await testApp()
    const [first, ...others] = await send(t, request('POST', create, [...headers, 'Expect: 100-continue'], upload))
    expect(first?.status).toBe(100)
    expect(codeIn(others)).toBe(1000)
    expect(await blobsOf(t)).toHaveLength(1)
  })

  test.each([
    ['in a file', upload.length / 2],
    ['in a text', 60],
    ['in a header', 150],
    ['before the last line', upload.length - 4],
  ])('that are given up %s leave no file and no row', async (_, sent) => {
    await using t = await testApp()
    for (let n = 0; n < 10; n++) {
      const socket = open(t)
      socket.write(request('POST', create, headers, upload.slice(0, sent)))
      await sleep(n * 3)
      // Half of them say goodbye, the others are just gone.
      if (n % 2 === 0) socket.resetAndDestroy()
      else socket.end()
    }
    await expect.poll(() => blobsOf(t), { timeout: timeoutMs }).toEqual([])
    for (const table of ['topic', 'file', 'change'] as const)
      expect(await t.ctx.database.read.selectFrom(table).selectAll().execute()).toEqual([])
    await expectAlive(t)
  })

  test.each([
    ['without its last line', upload.slice(0, -10), 4002],
    ['that end in a text', upload.slice(0, 60), 4002],
    ['that end in a header', upload.slice(0, 150), 4002],
    ['that end in a file', upload.slice(0, 5_000), 4002],
    ['that end in a file of another name', upload.slice(0, 5_000).replace('uploaded_files', 'other'), 4002],
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
    await using t = await testApp()
    const bytes = Buffer.from(body, 'latin1')
    expect(codeIn(await send(t, post(create, 'multipart/form-data; boundary=b', bytes)))).toBe(code)
    expect(await blobsOf(t)).toHaveLength(code === 1000 ? 1 : 0)
    await expectAlive(t)
  })

  test('of a form in which no file was chosen attach none', async () => {
    await using t = await testApp()
    const form = upload
      .replace('filename="a.txt"\r\n', 'filename=""\r\nContent-Type: application/octet-stream\r\n')
      .replace(/x{9,}/, '')
    const answers = await send(t, post(create, 'multipart/form-data; boundary=b', form))
    expect(codeIn(answers)).toBe(1000)
    expect(JSON.parse(make.only(answers).body)[0].data.NewsFeed[0].content.uploaded_files).toEqual([])
    expect(await blobsOf(t)).toEqual([])
  })
})

test('requests sent all at once are answered one by one, in their order', async () => {
  await using t = await testApp()
  await make.topic(t)
  const ongoing = (method: string, path: string, body = '') =>
    `${method} ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const answers = await send(
    t,
    ongoing('POST', create, '{"name":"x","created_by":1}') +
      ongoing('GET', '/api/newsfeeds/topics/1/details') +
      ongoing('POST', create, '{') +
      ongoing('GET', '/api/nothing') +
      ongoing('DELETE', '/api/newsfeeds/topics/1/delete') +
      ongoing('GET', '/api/newsfeeds/topics/404/details'),
    request('GET', list),
  )
  expect(answers.map((answer) => codeIn([answer]))).toEqual([1000, 1000, 4001, 4041, 2000, 4040, 1000])
})

test('a request that turns out to be no HTTP after its answer is not answered twice', async () => {
  expect(codeIn(await send(t, `GET /api/% HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: nonsense\r\n\r\n`))).toBe(4000)
  const refused = ['Content-Type: text/plain', 'Transfer-Encoding: chunked', 'Host: a', '', '']
  const late = async (socket: Socket) => {
    await once(socket, 'data')
    socket.write('no chunk\r\n')
  }
  expect(codeIn(await send(t, `POST ${create} HTTP/1.1\r\n${refused.join('\r\n')}`, late))).toBe(4150)
})

describe('what is behind the last request as nonsense', () => {
  const ongoing = (method: string, path: string, body = '') =>
    `${method} ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const write = (name: string) => ongoing('POST', create, JSON.stringify({ name, created_by: 1 }))
  const codes = (answers: StoredResponse[]) =>
    answers.map((answer) => (answer.status === 200 ? codeIn([answer]) : answer.status))

  test.each([
    ['a write', write('T'), [1000]],
    ['a read', ongoing('GET', list), [1000]],
    ['several', write('T') + ongoing('GET', list) + write('U'), [1000, 1000, 1000]],
  ])('%s: answered first', async (_, requests, expected) => {
    for (const nonsense of ['2', 'GARBAGE\r\n\r\n'])
      expect(codes(await send(t, requests + nonsense)).slice(0, -1)).toEqual(expected)
  })

  test('a write whose own body is no HTTP is refused, and those before it are done', async () => {
    await using t = await testApp()
    const broken = `POST ${create} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n`
    expect(codes(await send(t, write('A') + write('B') + broken))).toEqual([1000, 1000, 400])
    const { NewsFeed } = await t.client.listTopics({ offset: 0, limit: 10 })
    expect(NewsFeed.map(({ content }) => content.header)).toEqual(['B', 'A'])
  })

  test('a delete, which reads no body, is answered as it went, whatever its body is', async () => {
    await using t = await testApp()
    for (let nth = 0; nth < 3; nth++) await make.topic(t)
    const broken = (id: number) =>
      `DELETE /api/newsfeeds/topics/${id}/delete HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n`
    expect(codes(await send(t, broken(1)))).toEqual([2000, 400])
    // Behind a write it is refused before it begins.
    expect(codes(await send(t, write('T') + broken(2)))).toEqual([1000, 400])
    const { NewsFeed } = await t.client.listTopics({ offset: 0, limit: 10 })
    expect(NewsFeed.map(({ id }) => id)).toEqual(['4', '3', '2'])
  })

  test('a read, which reads no body, is answered before its body is refused', async () => {
    await using t = await testApp()
    await make.event(t)
    // Drawing takes a moment.
    const broken = 'GET /api/program/banner/get/1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n'
    const answers = await send(t, broken)
    expect(answers.map(({ status }) => status)).toEqual([200, 400])
  })

  test('a write is answered before a CONNECT behind it ends the connection', async () => {
    await using t = await testApp()
    expect(codes(await send(t, `${write('T')}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`))).toEqual([1000])
  })

  test('however much of it there is, it is refused once', async () => {
    const much = async (socket: Socket) => {
      for (let nth = 0; nth < 20 && socket.writable; nth++) {
        socket.write('GARBAGE\r\n\r\n'.repeat(1_000))
        await sleep(1)
      }
    }
    expect(codes(await send(t, write('T'), much))).toEqual([1000, 400])
  })
})

test('a file is not interrupted by what is said to the nonsense after it', async () => {
  await using t = await testApp()
  const size = 8_000_000
  await make.topic(t, {})
  await t.client.createTopic({ name: 'Big', created_by: 1 }, { files: [new File([new Uint8Array(size)], 'big.bin')] })
  const socket = open(t)
  socket.write('GET /api/newsfeeds/files/1/big.bin HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(socket, 'readable')
  socket.write('GARBAGE\r\n\r\n')
  const heard = Buffer.concat(await socket.toArray()).toString('latin1')
  const bodyStart = heard.indexOf('\r\n\r\n') + 4
  expect(heard.indexOf('HTTP/1.1', 1)).toBe(bodyStart + size)
  expect(heard.slice(bodyStart + size)).toContain('HTTP/1.1 400 ')
})

test('HTTP/1.0 is answered, with a Host', async () => {
  await using t = await testApp()
  expect(codeIn(await send(t, `GET ${list} HTTP/1.0\r\nHost: a\r\n\r\n`))).toBe(1000)
  expect(codeIn(await send(t, `GET ${list} HTTP/1.0\r\n\r\n`))).toBe(4000)
})
