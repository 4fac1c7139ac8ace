import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isSuccess } from '../src/client/client.ts'
import { DeletedEnvelope, FailureEnvelope, Problem, SuccessEnvelope } from '../src/contract/envelope.ts'
import { type OperationName, operations } from '../src/contract/index.ts'
import { defaultLimits } from '../src/contract/limits.ts'
import type { Operation } from '../src/contract/operation.ts'
import { type TestApp, testApp } from './app.ts'
import * as make from './make.ts'

// Requests that are partly right, partly at the edge and partly hostile, made from the contract. Whatever they are, the
// answer is legal, is no bug of ours, and comes within two seconds. `FUZZ_RUNS=100000 FUZZ_SEED=1 npx vitest run
// test/fuzz.test.ts` runs longer, or again.

const runs = Number(process.env.FUZZ_RUNS ?? 2_000)
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31)
const patienceMs = 2_000

/** What would have ended the process. */
const crashes: unknown[] = []
const onCrash = (error: unknown) => void crashes.push(error)
const ends = ['uncaughtException', 'unhandledRejection']
beforeAll(() => ends.forEach((end) => void process.on(end, onCrash)))
afterAll(() => ends.forEach((end) => void process.off(end, onCrash)))

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  for (let n = 0; n < 3; n++) {
    await make.participant(t)
    await make.event(t)
    const { id } = await make.topic(t, { uploaded_files: [{ name: 'a.txt', data: 'aGk=' }] })
    await make.comment(t, { topic_id: Number(id) })
  }
})
afterAll(() => t[Symbol.asyncDispose]())

const names = Object.keys(operations) as OperationName[]
type Members = Record<string, unknown>

interface Attempt {
  name: OperationName
  head: string
  body: Buffer
  /** Whether the head may be too long or its framing wrong: then the server may call it no HTTP, or wait for more. */
  wild: boolean
}

// Values: of the right kind, at the edge of it, and of another.

const id = fc.integer({ min: 1, max: 9 })
const edges = fc.constantFrom(0, -1, -0, 0.5, 1e21, 2 ** 31, 2 ** 53 - 1, 2 ** 53, Number.MIN_VALUE)
const words = fc.constantFrom(
  ...['', ' ', '\0', '\ud800', '\u202e', '0', '1e3', '٣', 'null', '[]', '__proto__', "'; drop table topic; --"],
)
const lengths = fc.constantFrom(...Object.values(defaultLimits).filter((limit) => limit <= defaultLimits.body))
const long = fc
  .tuple(lengths, fc.constantFrom('x', '😀', 'é'), fc.constantFrom(-1, 0, 1))
  .map(([n, unit, more]) => unit.repeat(n + more))
const text = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 3, arbitrary: words },
  { weight: 1, arbitrary: long },
)
const anything: fc.Arbitrary<unknown> = fc.oneof(text, edges, id, fc.jsonValue({ maxDepth: 3 }), fc.boolean())

const mediaType = fc.oneof(
  text,
  fc.constantFrom('image/png', 'text/html', 'text/plain; charset=x', 'a/b', 'image/svg+xml'),
)
const link = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc
    .tuple(
      fc.constantFrom('https://', 'HTTP://a/', 'ftp://', 'javascript:', 'data:', 'data:image/png;base64,', '//', ''),
      text,
    )
    .map((parts) => parts.join('')),
)
const bytes = fc.oneof(
  fc.base64String(),
  text,
  fc.constantFrom('iVBORw0KGgo=', 'R0lGODlh', 'UEsDBA==', '=', 'PHN2Zz4='),
)
const upload = fc.oneof(
  link,
  fc.record({ link, fileType: mediaType }, { requiredKeys: ['link'] }),
  fc.record({ name: text, fileType: mediaType, data: bytes }, { requiredKeys: ['data'] }),
  anything,
)

const goodUpload = fc.oneof(
  fc.webUrl({ validSchemes: ['http', 'https'] }),
  fc.record({
    name: fc.string({ maxLength: 50 }),
    fileType: fc.constantFrom('text/html', 'a/b', ''),
    data: fc.base64String(),
  }),
)
const uploads = fc.oneof(fc.array(goodUpload, { maxLength: 3 }), fc.array(upload, { maxLength: 12 }))

/** A value for a member: the right kind, mostly, so that whole requests have a chance. */
function valueFor(name: string, schema: Members): fc.Arbitrary<unknown> {
  if (name === 'uploaded_files') return fc.oneof({ weight: 9, arbitrary: uploads }, { weight: 1, arbitrary: anything })
  const right = schema.type === 'integer' ? id : fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 })
  return fc.oneof({ weight: 40, arbitrary: right }, { weight: 1, arbitrary: anything })
}

const schemasOf = (schema: Operation['body']): [string, Members][] =>
  Object.entries(schema?.properties ?? {}).map(([name, member]) => [name, { ...member }])

function membersOf({ body }: Operation): fc.Arbitrary<Members> {
  const values = Object.fromEntries(schemasOf(body).map(([name, schema]) => [name, valueFor(name, schema)]))
  const own = fc.oneof(
    { weight: 4, arbitrary: fc.record(values) },
    { weight: 1, arbitrary: fc.record(values, { requiredKeys: [] }) },
  )
  const names = fc.oneof(text, fc.constantFrom('id', 'is_deleted', 'constructor', '__proto__', 'files', 'topic_id'))
  const others = fc.dictionary(names, anything, { maxKeys: 2 })
  return fc.tuple(own, others).map(([own, others]) => ({ ...others, ...own }))
}

// Addresses and headers, as bytes: Latin-1 text of which each character is one.

const segment = fc.oneof(
  { weight: 20, arbitrary: id.map(String) },
  {
    weight: 2,
    arbitrary: fc.oneof(
      edges.map(String),
      text.map((value) => encodeURIComponent(value.toWellFormed())),
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(..."%2fFz.0;:@&=+$,~!*'()") }) },
)
const headerText = fc.string({
  // What a header may hold (RFC 9110, 5.5): no control characters.
  unit: fc.integer({ min: 0x20, max: 0xff }).map((byte) => (byte === 0x7f ? '\t' : String.fromCharCode(byte))),
  maxLength: 300,
})
const ordinaryHeader = fc
  .constantFrom('Accept', 'Range', 'If-None-Match', 'If-Range', 'Idempotency-Key', 'Cookie', 'Expect')
  .chain((name) => fc.tuple(fc.constant(name), fc.oneof(headerText, fc.constantFrom(...(usual[name] ?? ['x'])))))
const usual: Record<string, string[]> = {
  Accept: ['application/problem+json', 'application/problem+json;q=0.5, */*', 'text/html', ';q=,,'],
  Range: ['bytes=0-', 'bytes=-1', 'bytes=0-0,1-1', 'bytes=9-1', 'bytes=99999999999999999999-'],
  'If-None-Match': ['*', 'W/"x", "y"', '"'],
  'Idempotency-Key': ['a', 'b', 'c', 'x'.repeat(256)],
  Expect: ['100-continue', 'x'],
}
const oddHeader = fc.tuple(
  fc.constantFrom(
    ...[
      'Content-Length',
      'Transfer-Encoding',
      'Host',
      'Content-Encoding',
      'Upgrade',
      'Connection',
      'Trailer',
      'X-\xff',
    ],
  ),
  fc.oneof(
    headerText,
    fc.constantFrom('0', '1', '-1', '9'.repeat(20), 'chunked', 'gzip, chunked', 'identity', 'h2c', 'a\0b', 'a\rb'),
  ),
)
const headers = fc.tuple(
  fc.array(ordinaryHeader, { maxLength: 3 }),
  fc.oneof(
    { weight: 9, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(oddHeader, { minLength: 1, maxLength: 2 }) },
  ),
)

// Bodies, in every encoding, whole or damaged.

const pairsOf = (value: unknown, name = ''): [string, string][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([member, inner]) => pairsOf(inner, name ? `${name}[${member}]` : member))
    : [[name, String(value)]]

const encodings: Record<string, (members: Members) => Buffer> = {
  'application/json': (members) => Buffer.from(JSON.stringify(members)),
  'application/x-www-form-urlencoded': (members) => Buffer.from(new URLSearchParams(pairsOf(members)).toString()),
  'multipart/form-data; boundary=b': (members) =>
    Buffer.from(
      `${pairsOf(members)
        .map(([name, value]) => part(`name="${name}"`, value))
        .join('')}--b--\r\n`,
    ),
}
const part = (disposition: string, value: string, more = '') =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${value}\r\n`

const dispositions = fc.constantFrom(
  ...['name="name"', 'name="uploaded_files[]"; filename="a.png"', 'name="other"; filename="x"', 'filename="x"', 'x'],
  ...['name="uploaded_files"', 'name="uploaded_files"; filename*=UTF-8\'\'%ff%zz', `name="${'n'.repeat(9_000)}"`],
)
const partHeaders = fc.constantFrom(
  ...['', 'no colon', 'Content-Type: application/octet-stream', 'Content-Type: text/plain; charset=utf-16le'],
  ...['Content-Transfer-Encoding: base64', 'Content-Type: multipart/mixed; boundary=b', 'X: y\r\n'.repeat(60)],
)
const piece = fc.oneof(
  fc.constantFrom(...['--b', '--b--', '--b\r\n', '\r\n--b\r\n', '\r\n--b--\r\n', '\r\n', '\n', '--', '--c\r\n']),
  fc
    .tuple(dispositions, text, partHeaders)
    .map(([disposition, value, more]) => part(disposition, value, `${more}\r\n`)),
  text,
)
const torture = fc
  .array(fc.oneof(piece, fc.uint8Array({ maxLength: 40 })), { maxLength: 15 })
  .map((some) => Buffer.concat(some.map((one) => (typeof one === 'string' ? Buffer.from(one) : one))))

interface Encoded {
  type: string
  body: Buffer
}

const damage = ({ type, body }: Encoded): fc.Arbitrary<Encoded> =>
  fc.tuple(fc.nat(body.length), fc.nat(20), fc.uint8Array({ maxLength: 8 })).map(([at, cut, inserted]) => ({
    type,
    body: Buffer.concat([body.subarray(0, at), Buffer.from(inserted), body.subarray(at + cut)]),
  }))

function bodyFor(operation: Operation): fc.Arbitrary<Encoded> {
  const type = fc.constantFrom(...Object.keys(encodings))
  const whole = fc
    .tuple(type, membersOf(operation))
    .map(([type, members]) => ({ type, body: encodings[type]?.(members) ?? Buffer.of() }))
  const multipart = ['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary="']
  const otherTypes = fc.oneof(type, headerText, fc.constantFrom(...multipart, 'application/json; charset=utf-16', ''))
  return fc.oneof(
    { weight: 10, arbitrary: whole },
    { weight: 2, arbitrary: whole.chain(damage) },
    { weight: 4, arbitrary: torture.map((body) => ({ type: 'multipart/form-data; boundary=b', body })) },
    { weight: 1, arbitrary: fc.tuple(otherTypes, whole).map(([type, { body }]) => ({ type, body })) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(otherTypes, fc.uint8Array({ maxLength: 200 }))
        .map(([type, some]) => ({ type, body: Buffer.from(some) })),
    },
  )
}

// Most that is deleted could not be asked for again.
const weights = names.map((name) => ({ weight: name.startsWith('delete') ? 1 : 6, arbitrary: fc.constant(name) }))

const attempt = fc.oneof(...weights).chain((name): fc.Arbitrary<Attempt> => {
  const operation: Operation = operations[name]
  const params = Object.keys(operation.params.properties)
  const body = operation.body ? bodyFor(operation) : fc.constant(undefined)
  return fc.tuple(fc.tuple(...params.map(() => segment)), headers, body).map(([segments, [ordinary, odd], encoded]) => {
    const path = operation.path.replace(/\{(\w+)\}/g, (_, param: string) => segments[params.indexOf(param)] ?? '')
    const lines = [
      `${operation.method} ${path} HTTP/1.1`,
      ...['Host: a', 'Connection: close'],
      ...(encoded ? [`Content-Type: ${encoded.type}`, `Content-Length: ${encoded.body.length}`] : []),
      ...[...ordinary, ...odd].map(([header, value]) => `${header}: ${value}`),
    ]
    return {
      name,
      head: lines.join('\r\n'),
      body: encoded?.body ?? Buffer.of(),
      wild: odd.length > 0 || lines.join('').length > 8_000,
    }
  })
})

// The answer.

const failure = Compile(FailureEnvelope)
const problem = Compile(Problem)
const successes = new Map(
  names.map((name) => {
    const { method, data }: Operation = operations[name]
    return [name, data && Compile(method === 'DELETE' ? DeletedEnvelope(data) : SuccessEnvelope(data))]
  }),
)

/** All that comes back, in Latin-1. @throws Error when the connection is still open after two seconds */
function answerTo({ head, body, wild }: Attempt): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(t.url).port), '127.0.0.1')
    const heard: Buffer[] = []
    const late = setTimeout(() => settle(() => reject(new Error('no end within two seconds'))), patienceMs)
    // One that is told of more than it gets waits for it; this client then goes away.
    const leave = wild ? setTimeout(() => socket.end(), 150) : undefined
    const settle = (how: () => void) => {
      clearTimeout(late)
      clearTimeout(leave)
      socket.destroy()
      how()
    }
    socket.on('data', (chunk: Buffer) => heard.push(chunk))
    socket.on('error', () => {})
    socket.on('close', () => settle(() => resolve(Buffer.concat(heard))))
    socket.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), body]))
  })
}

function expectLegal({ name, wild }: Attempt, heard: Buffer): void {
  const whole = heard.toString('latin1').replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
  if (wild && whole === '') return
  const [head = '', body = ''] = [whole.slice(0, whole.indexOf('\r\n\r\n')), whole.slice(whole.indexOf('\r\n\r\n') + 4)]
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1])
  if (wild && /^HTTP\/1.1 (400|408|431) .*\r\nContent-Length: 0\r\nConnection: close$/.test(head)) return
  const type = /^content-type: (.*)$/im.exec(head)?.[1]
  if (type === 'application/problem+json; charset=utf-8') {
    const found = JSON.parse(body)
    expect(problem.Errors(found)).toEqual([])
    expect(status).toBe(Math.floor(found.code / 10))
    expect(found.code).toBeLessThan(5000)
  } else if (type === 'application/json; charset=UTF-8' || operations[name].method !== 'GET') {
    expect([status, type]).toEqual([200, 'application/json; charset=UTF-8'])
    const envelope = JSON.parse(Buffer.from(body, 'latin1').toString())
    const { response_code } = envelope[0]
    expect(response_code).toBeLessThan(5000)
    const declared = response_code < 4000 ? successes.get(name) : failure
    expect(declared?.Errors(envelope)).toEqual([])
  } else {
    expect(successes.get(name), head).toBeUndefined()
    expect([200, 206, 304, 416]).toContain(status)
  }
}

test(`${runs} random requests are answered legally and in time (seed ${seed})`, {
  timeout: 60_000 + runs * 100,
}, async () => {
  const property = fc.asyncProperty(attempt, async (request) => {
    expectLegal(request, await answerTo(request))
    expect(crashes.splice(0)).toEqual([])
  })
  await fc.assert(property, { numRuns: runs, seed })
  expect((await t.client.call('listTopics', { offset: 0, limit: 10 })).envelope.response_code).toBe(1000)
})

// What others have collected. Neither is part of the project, so both may be missing.

const corpora = join(import.meta.dirname, '../../shared/corpora')
const jsonSuite = join(corpora, 'json-test-suite')
const naughtyFile = join(corpora, 'naughty-strings.json')

test.skipIf(!existsSync(jsonSuite))(
  'JSONTestSuite: what is JSON is taken for JSON, and what is not is not',
  async () => {
    for (const file of readdirSync(jsonSuite)) {
      const response = await fetch(`${t.url}/api/newsfeeds/topics/create`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: readFileSync(join(jsonSuite, file)),
      })
      const envelope = JSON.parse(await response.text())
      expect(failure.Errors(envelope), file).toEqual([])
      const [{ response_code }] = envelope
      if (file.startsWith('y_')) expect(response_code, file).toBe(4220)
      else if (file.startsWith('n_')) expect(response_code, file).toBe(4001)
      else expect([4001, 4220], file).toContain(response_code)
    }
  },
)

const naughty: string[] = existsSync(naughtyFile) ? JSON.parse(readFileSync(naughtyFile, 'utf8')) : []
// Ours, which theirs lacks.
const ours = [
  ...['a\0b', '\ud800', '\u2028\u2029', '\r\n\t', ' x ', '\ufeffx', 'e\u0301 é', '"\\', '%00%zz+&=', '\n-->'],
  ...['😀'.repeat(255), '😀'.repeat(256)],
]
const strings = [...naughty, ...ours]
const rejects = (value: string, limit: keyof typeof defaultLimits): boolean =>
  !value.isWellFormed() || value.includes('\0') || [...value].length > defaultLimits[limit]
const isBlank = (value: string) => !/\S/.test(value)
const codeOf = (isRefused: boolean) => (isRefused ? 4220 : 1000)

/** Works through the strings, some at a time. */
async function each(work: (value: string) => Promise<void>): Promise<void> {
  const waiting = [...strings]
  const worker = async () => {
    for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) await work(value)
  }
  await Promise.all(Array.from({ length: 16 }, worker))
}

async function createTopic(type: string, members: Members) {
  const request = { method: 'POST', headers: { 'content-type': type }, body: encodings[type]?.(members) ?? '' }
  const response = await fetch(`${t.url}/api/newsfeeds/topics/create`, request)
  const [{ response_code, data }] = JSON.parse(await response.text())
  return { response_code, data }
}

test.each(Object.keys(encodings))(
  'naughty strings in topics come back as they were sent in %s, or are refused',
  (type) =>
    each(async (value) => {
      // Forms are UTF-8 and have no way to say half a character.
      if (!value.isWellFormed() && type !== 'application/json') return
      const { response_code, data } = await createTopic(type, { name: value, body: value, created_by: 1 })
      expect(response_code, value).toBe(codeOf(rejects(value, 'name') || isBlank(value)))
      if (response_code !== 1000) return
      const { NewsFeed } = await t.client.getTopic({ topic_id: Number(data.NewsFeed[0].id) })
      expect(make.only(NewsFeed).content).toMatchObject({ header: value, body: value })
    }),
)

test('naughty strings in comments and feedback come back as they were sent, or are refused', async () => {
  const topic_id = Number((await make.topic(t)).id)
  await each(async (value) => {
    const comment = await t.client.call('createComment', { topic_id, comment: value, created_by: 1 })
    expect(comment.envelope.response_code, value).toBe(codeOf(rejects(value, 'comment') || isBlank(value)))
    if (isSuccess(comment.envelope)) expect(comment.envelope.data.comments[0]?.comment).toBe(value)

    const ratings = { quality: value, rating: value, relevance: value, expectation: value }
    const feedback = await t.client.call('addFeedback', { created_by: 1, comments: value, ...ratings })
    expect(feedback.envelope.response_code, value).toBe(codeOf(rejects(value, 'text')))
    if (!isSuccess(feedback.envelope)) return
    const { id, comments } = feedback.envelope.data.feedbacks
    expect(comments).toBe(value)
    const row = t.ctx.database.read.selectFrom('feedback').selectAll().where('id', '=', Number(id))
    expect(await row.executeTakeFirst()).toMatchObject(ratings)
  })
})

test('naughty strings in participants come back as they were sent, or are refused', () =>
  each(async (value) => {
    const participantId = await make.participant(t)
    const said = { employee_no: value, designation: value, email: value, first_name: value, last_name: value }
    const more = { photo: value, mobile_no: value, gender: value }
    const { envelope } = await t.client.call('updateParticipant', { participantId, ...said, ...more })
    expect(envelope.response_code, value).toBe(codeOf(rejects(value, 'text')))
    if (!isSuccess(envelope)) return
    expect(envelope.data.participant).toMatchObject({ ...said, ...more })
    const { NewsFeed } = await t.client.createTopic({ name: 'x', created_by: participantId })
    const name = value === '' ? '' : `${value} ${value}`
    expect(make.only(NewsFeed).author).toMatchObject({ name, designation: value })
  }))

test('naughty strings in links and types of files come back as they were sent, or are refused', () =>
  each(async (value) => {
    const file = { link: `https://cdn.summit.example/${value}`, fileType: value }
    const { envelope } = await t.client.call('createTopic', { name: 'x', created_by: 1, uploaded_files: [file] })
    expect(envelope.response_code, value).toBe(codeOf(rejects(value, 'text') || /\p{Cc}/u.test(value)))
    if (!isSuccess(envelope)) return
    const [shown] = make.only(envelope.data.NewsFeed).content.uploaded_files
    expect(shown?.link).toBe(file.link)
    if (value !== '') expect(shown?.fileType).toBe(value)
  }))

test('naughty strings in events are shown as they were imported', () =>
  each(async (value) => {
    if (rejects(value, 'text')) return
    const said = { title: value, speaker: value, position: value, company: value, venue: value }
    const id = await make.event(t, { ...said, location_name: value }, [
      { date: '2030-05-02', time: '09:00:00', title: value },
    ])
    expect((await t.client.getEvent({ id })).programs).toMatchObject({ ...said, location: value })
  }))
