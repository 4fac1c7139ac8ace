import { hash } from 'node:crypto'
import { type IncomingMessage, request as openRequest } from 'node:http'
import type { TObject } from 'typebox'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verify } from '../src/client/verify.ts'
import { DeletedEnvelope, FailureEnvelope, Problem, responseCodes, SuccessEnvelope } from '../src/contract/envelope.ts'
import { type FailureReason, failures, httpStatusOf } from '../src/contract/failures.ts'
import { type OperationName, operations } from '../src/contract/index.ts'
import { defaultLimits } from '../src/contract/limits.ts'
import { failuresOf } from '../src/contract/openapi.ts'
import type { Operation } from '../src/contract/operation.ts'
import type { ParticipantId } from '../src/server/core/ids.ts'
import { photoKey, photoPath } from '../src/server/participants/photos.ts'
import { type TestApp, testApp } from './app.ts'
import { isLong } from './long.ts'
import * as make from './make.ts'
import { pairsOf } from './pairs.ts'

// Every operation of the contract over real HTTP, by one example each. What is asked and what has to be answered
// comes from the contract, so that a new operation is held to all of this as soon as it has an example.

type Members = Record<string, unknown>
interface Example {
  params?: Record<string, string | number>
  body?: Members
}

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg=='
const pixelHash = hash('sha256', Buffer.from(pixel, 'base64'))

const uploaded_files = [
  'https://cdn.summit.example/slides.pdf',
  { link: 'https://cdn.summit.example/plan', fileType: 'image/svg+xml' },
  `data:image/png;base64,${pixel}`,
  { name: 'notes.txt', fileType: 'text/plain', data: Buffer.from('Grüße').toString('base64') },
]
const page = { offset: 0, limit: 10 }

/** What to ask in the world that {@link world} makes. */
const examples: Record<OperationName, Example> = {
  listTopics: { params: page },
  createTopic: { body: { name: 'Lunch 🍲 is served', body: 'Main\nhall & "more"', created_by: 1, uploaded_files } },
  getTopic: { params: { topic_id: 1 } },
  updateTopic: {
    params: { topic_id: 1 },
    body: { name: 'Lunch is late', body: '', created_by: 7, updated_by: 2, uploaded_files },
  },
  deleteTopic: { params: { topic_id: 1 } },
  likeTopic: { params: { topic_id: 1 }, body: { created_by: 2 } },
  unlikeTopic: { params: { topic_id: 1, participant_id: 1 } },
  listComments: { params: { topic_id: 1, ...page } },
  createComment: { params: { topic_id: 1 }, body: { comment: '+1 = 100%', created_by: 404, uploaded_files } },
  getComment: { params: { comment_id: 1 } },
  updateComment: {
    params: { comment_id: 1 },
    body: { comment: 'Nächstes Mal', created_by: 7, updated_by: 2, uploaded_files },
  },
  deleteComment: { params: { comment_id: 1 } },
  readFile: { params: { file_id: 1, file_name: 'pixel.png' } },
  deleteFile: { params: { file_Id: 1 } },
  listEvents: { params: page },
  getEvent: { params: { id: 1 } },
  readBanner: { params: { id: 1 } },
  readPhoto: { params: { id: 1 } },
  readParticipantPhoto: { params: { participantId: 2, file_name: `${pixelHash}.png` } },
  listFeedback: { params: page },
  listFeedbackOfParticipant: { params: { ...page, participant_id: 1 } },
  addFeedback: {
    body: {
      ...{ created_by: 1, participant_id: 2, program_id: 99, comments: 'Loved it.\r\nAll of it.' },
      ...{ quality: '5', rating: 'four', relevance: '', expectation: '★' },
    },
  },
  listParticipants: { params: page },
  updateParticipant: {
    params: { participantId: 1 },
    body: {
      ...{ employee_no: 'E7', designation: '', email: 'ana@summit.example', first_name: 'Ána', last_name: 'Cruz' },
      ...{ photo: 'photos/ana 1.jpg', mobile_no: '+63 917', gender: 'F' },
    },
  },
}

const names = Object.keys(operations) as OperationName[]
const operationOf = (name: OperationName): Operation => operations[name]
const reads = names.filter((name) => operationOf(name).method === 'GET')
const writes = names.filter((name) => operationOf(name).method !== 'GET')
const withBody = names.filter((name) => operationOf(name).body)

const schemasOf = (schema: TObject | undefined): Record<string, Members> =>
  Object.fromEntries(Object.entries(schema?.properties ?? {}).map(([name, member]) => [name, { ...member }]))

/** Ids begin at 1, offsets and limits at 0. */
const integerParams = names.flatMap((name) =>
  Object.entries(schemasOf(operationOf(name).params)).flatMap(([param, { type }]) =>
    type === 'integer' ? [[name, param, param === 'offset' || param === 'limit' ? 0 : 1] as const] : [],
  ),
)
const bodyMembers = withBody.flatMap((name) =>
  Object.keys(schemasOf(operationOf(name).body)).map((member) => [name, member] as const),
)
const key = 'c0ffee00'.repeat(8)

/** Two participants, an event, a topic with a stored file, a link, a like and a comment, and a feedback. */
async function world(): Promise<TestApp> {
  const t = await testApp({ PUBLIC_URL: 'https://summit.example', SIGNATURE_KEY: key })
  await make.participant(t)
  const photo = photoPath(2 as ParticipantId, pixelHash, 'png')
  await (await t.ctx.blobs.stage([Buffer.from(pixel, 'base64')], 1_000)).store(photoKey(photo) ?? '')
  await make.participant(t, { first_name: 'Ben', last_name: '', photo })
  await make.event(t, {}, [{ date: '2030-05-02', time: '09:00:00', title: 'Doors' }])
  const stored = { name: 'pixel.png', fileType: 'image/png', data: pixel }
  await make.topic(t, { uploaded_files: [stored, 'https://cdn.summit.example/a.pdf'] })
  await make.comment(t, { topic_id: 1, uploaded_files: [stored] })
  await t.client.likeTopic({ topic_id: 1, created_by: 1 })
  await t.client.addFeedback({ created_by: 1, comments: 'Fine' }, { idempotencyKey: 'taken' })
  return t
}

interface Ask {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string | Uint8Array
}

interface Heard {
  status: number
  /** The values of a header, in the order and number in which they came. */
  header(name: string): string[]
  bytes: Buffer
}

/** One request exactly as given, over a connection of its own. */
async function ask(t: TestApp, { method, path, headers = {}, body }: Ask): Promise<Heard> {
  const { hostname, port } = new URL(t.url)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = openRequest({ hostname, port, method, path, headers, agent: false, timeout: 5_000 }, resolve)
    request.on('error', reject)
    request.on('timeout', () => request.destroy(new Error(`no answer to ${method} ${path}`)))
    request.end(body)
  })
  const lines = Array.from({ length: response.rawHeaders.length / 2 }, (_, at) =>
    response.rawHeaders.slice(2 * at, 2 * at + 2),
  )
  return {
    status: response.statusCode ?? 0,
    header: (name) => lines.flatMap(([line, value]) => (line?.toLowerCase() === name ? [value ?? ''] : [])),
    bytes: Buffer.concat(await response.toArray()),
  }
}

/** The example of an operation as a request, with some of its parameters or its body replaced. */
function asking(name: OperationName, { params, body }: Example = {}): Ask {
  const { method, path, body: takesBody } = operationOf(name)
  const values: Members = { ...examples[name].params, ...params }
  return {
    method,
    path: path.replace(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(String(values[param]))),
    ...(takesBody && encoded.json(body ?? examples[name].body ?? {})),
  }
}

/** The three ways to write a body. Forms spell what JSON nests: `uploaded_files[1][link]`. */
const encoded = {
  json: (members: Members) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(members),
  }),
  urlencoded: (members: Members) => ({
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(pairsOf(members)).toString(),
  }),
  multipart: (members: Members) => multipart(pairsOf(members)),
}

function multipart(pairs: [string, string | File][]): { headers: Record<string, string>; body: Uint8Array } {
  const part = ([name, value]: [string, string | File]) =>
    typeof value === 'string'
      ? `--frontier\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
      : `--frontier\r\nContent-Disposition: form-data; name="${name}"; filename="${value.name}"\r\n` +
        `Content-Type: ${value.type}\r\n\r\nGrüße\r\n`
  return {
    headers: { 'content-type': 'multipart/form-data; boundary=frontier' },
    body: Buffer.from(`${pairs.map(part).join('')}--frontier--\r\n`),
  }
}

const failureEnvelope = Compile(FailureEnvelope)
const problem = Compile(Problem)

/** The envelope of an answer, which must be as the specification shows it, to the byte where it can be. */
async function envelopeOf(heard: Heard) {
  const text = heard.bytes.toString()
  expect(heard.status, text).toBe(200)
  expect(heard.header('vary')).toEqual(['Accept'])
  expect(heard.header('content-type')).toEqual(['application/json; charset=UTF-8'])
  expect(heard.header('request-id')).toHaveLength(1)
  expect(heard.header('content-length')).toEqual([String(heard.bytes.length)])
  expect(await verify(text, key), `the signature of ${text}`).toBe(true)
  return JSON.parse(text)
}

function expectPicture(heard: Heard): void {
  expect([heard.status, heard.header('content-type')]).toEqual([200, ['image/png']])
  expect(heard.bytes.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))
}

async function expectFailure(heard: Heard, reason: FailureReason) {
  const envelope = await envelopeOf(heard)
  expect(failureEnvelope.Errors(envelope)).toEqual([])
  const [{ response_code, data, system }] = envelope
  const { code, message } = failures[reason]
  expect({ response_code, reason: data.reason }).toEqual({ response_code: code, reason })
  expect([data.message, system.message]).toEqual([message, message])
  expect(data.request_id).toBe(heard.header('request-id')[0])
  return data as { fields: { field: string; in: string; reason: string }[] }
}

function expectProblem(heard: Heard, reason: FailureReason): void {
  const found = JSON.parse(heard.bytes.toString())
  expect(heard.header('content-type')).toEqual(['application/problem+json; charset=utf-8'])
  expect(heard.header('vary')).toEqual(['Accept'])
  expect(problem.Errors(found)).toEqual([])
  const status = httpStatusOf(reason)
  expect({ ...found, sent: heard.status }).toMatchObject({ status, sent: status, reason, code: failures[reason].code })
}

/** Every row of every record, but for where the bytes of files lie, which is random. */
async function recordsOf(t: TestApp) {
  const tables = ['participant', 'event', 'activity', 'topic', 'comment', 'topic_like', 'file', 'feedback'] as const
  const rows = await Promise.all(
    tables.map((table) => t.ctx.database.read.selectFrom(table).selectAll().orderBy('id').execute()),
  )
  return rows.map((ofTable) => ofTable.map((row) => ('blob_key' in row ? { ...row, blob_key: '' } : row)))
}

/** For whatever must not change anything, so that none of these tests is in the way of another. */
let unchanging: TestApp
beforeAll(async () => {
  unchanging = await world()
})
afterAll(() => unchanging[Symbol.asyncDispose]())

async function expectNoChange(work: (t: TestApp) => Promise<void>): Promise<void> {
  const before = await recordsOf(unchanging)
  await work(unchanging)
  expect(await recordsOf(unchanging)).toEqual(before)
}

test.each(reads)('%s answers its example as the contract declares it, signed', (name) =>
  expectNoChange(async (t) => {
    const heard = await ask(t, asking(name))
    const { data } = operationOf(name)
    if (data) expect(Compile(SuccessEnvelope(data)).Errors(await envelopeOf(heard))).toEqual([])
    else expectPicture(heard)
  }),
)

test.each(writes)('%s answers its example as the contract declares it, signed, and changes something', async (name) => {
  await using t = await world()
  const before = await recordsOf(t)
  const envelope = await envelopeOf(await ask(t, asking(name)))
  const { method, data } = operationOf(name)
  if (!data) throw new Error('what changes something answers an envelope')
  const declared = method === 'DELETE' ? DeletedEnvelope(data) : SuccessEnvelope(data)
  expect(Compile(declared).Errors(envelope)).toEqual([])
  expect(await recordsOf(t)).not.toEqual(before)
})

test.each(names)('%s answers every failure that it declares, in an envelope or as a problem', (name) =>
  expectNoChange(async (t) => {
    for (const reason of failuresOf(operationOf(name)).filter((reason) => !needsMore.has(reason))) {
      const requests = provocations[reason]?.(name, new URL(t.url).port) ?? []
      expect(requests, `no request here provokes ${reason}`).not.toEqual([])
      for (const [nth, request] of requests.entries()) {
        await expectFailure(await ask(t, request), reason)
        if (nth > 0 && !isLong) continue
        const headers = { ...request.headers, accept: 'application/problem+json, application/json;q=0.5' }
        expectProblem(await ask(t, { ...request, headers }), reason)
      }
    }
  }),
)

test.each(integerParams)('%s takes a %s in its range, both ends included, and no other', (name, param, least) =>
  expectNoChange(async (t) => {
    const bad = [least - 1, 2 ** 53, 'abc', -1, '1.5', '1e3', ' 1', '９', '0x1', '9'.repeat(400)]
    // All integers are read alike, so that all of these are asked of the first alone.
    const isFirst = name === integerParams[0]?.[0]
    for (const value of isLong || isFirst ? bad : bad.slice(0, 3)) {
      const heard = await ask(t, asking(name, { params: { [param]: value } }))
      const { fields } = await expectFailure(heard, 'VALIDATION_FAILED')
      expect(fields).toMatchObject([{ field: param, in: 'path', reason: 'NOT_AN_INTEGER' }])
    }
    for (const value of [least, Number.MAX_SAFE_INTEGER]) {
      if (operationOf(name).method !== 'GET' && value === least) continue
      const heard = await ask(t, asking(name, { params: { [param]: value } }))
      expect(heard.bytes.includes('"VALIDATION_FAILED"'), `${param} ${value}`).toBe(false)
    }
  }),
)

test.each(bodyMembers)('%s refuses a %s that is not what it should be, by name, however it is sent', (name, member) =>
  expectNoChange(async (t) => {
    const schema = schemasOf(operationOf(name).body)[member] ?? {}
    const said = new Set<string>()
    const bad = member === 'uploaded_files' ? badUploads : badValues(schema)
    // All files are read alike, so that most of these are sent to the first operation alone.
    const some = isLong || member !== 'uploaded_files' || name === withBody[0] ? bad : bad.slice(0, 6)
    for (const [value, reason] of some) {
      const body = { ...examples[name].body, [member]: value }
      const isText = typeof value === 'string' && value.isWellFormed()
      // What a form holds becomes members as those of JSON are: one of each reason shows that it is refused as well.
      const isAnyForm = isText && (isLong || !said.has(reason))
      if (isText) said.add(reason)
      for (const encode of isAnyForm ? Object.values(encoded) : [encoded.json]) {
        const { fields } = await expectFailure(await ask(t, { ...asking(name), ...encode(body) }), 'VALIDATION_FAILED')
        const field = reason === 'NOT_A_FILE' ? `${member}[0]` : member
        expect(fields, JSON.stringify(value).slice(0, 50)).toMatchObject([{ field, in: 'body', reason }])
      }
    }
  }),
)

/** Those that one request alone cannot cause; two are below, and the tests of faults show the others. */
const needsMore = new Set<FailureReason>([
  'INTERNAL',
  'UNAVAILABLE',
  'OUTCOME_UNKNOWN',
  'STORAGE_FULL',
  'STORAGE_READ_ONLY',
  'BODY_TOO_SLOW',
  'IDEMPOTENCY_KEY_IN_FLIGHT',
])

type Provocation = (name: OperationName, port: string) => Ask[]
const without =
  (...params: string[]): Provocation =>
  (name) =>
    params
      .filter((param) => param in (examples[name].params ?? {}))
      .map((param) => asking(name, { params: { [param]: 404 } }))
const instead =
  (...bodies: [contentType: string, body: string][]): Provocation =>
  (name) =>
    bodies.map(([type, body]) => ({ ...asking(name), headers: { 'content-type': type }, body }))

/** How to make an operation fail with each reason. */
const provocations: Partial<Record<FailureReason, Provocation>> = {
  TOPIC_NOT_FOUND: without('topic_id'),
  COMMENT_NOT_FOUND: without('comment_id'),
  LIKE_NOT_FOUND: without('participant_id'),
  FILE_NOT_FOUND: without('file_id', 'file_Id', 'participantId'),
  EVENT_NOT_FOUND: without('id'),
  PARTICIPANT_NOT_FOUND: without('participantId'),
  BAD_REQUEST: (name) => {
    const request = asking(name)
    return [
      { ...request, path: `${request.path}%zz` },
      { ...request, headers: { ...request.headers, host: 'evil.example/../x' } },
    ]
  },
  UNKNOWN_HOST: (name, port) => [
    { ...asking(name), headers: { ...asking(name).headers, host: `evil.example:${port}` } },
  ],
  CROSS_ORIGIN: (name) => [
    { ...asking(name), headers: { ...asking(name).headers, 'sec-fetch-site': 'cross-site' } },
    { ...asking(name), headers: { ...asking(name).headers, origin: 'https://evil.example' } },
  ],
  VALIDATION_FAILED: (name) => {
    const [param] = Object.keys(operationOf(name).params.properties)
    return [param === undefined ? asking(name, { body: {} }) : asking(name, { params: { [param]: 'abc' } })]
  },
  MALFORMED_JSON: instead(['application/json', '{"name":'], ['application/json', ''], ['application/json', "{'a':1}"]),
  MALFORMED_FORM: instead(
    ['application/x-www-form-urlencoded', 'name=%zz'],
    ['application/x-www-form-urlencoded', 'name=%ff'],
    ['multipart/form-data', '--frontier--'],
    ['multipart/form-data; boundary=frontier', ''],
    ['multipart/form-data; boundary=frontier', 'nothing of the kind'],
    ['multipart/form-data; boundary=frontier', '--frontier\r\nContent-Disposition: form-data; name="name"\r\n\r\nLun'],
  ),
  UNSUPPORTED_MEDIA_TYPE: instead(['text/plain', 'name=x'], ['application/xml', '<name/>'], ['nonsense', 'x']),
  TOO_LARGE: instead(
    ['application/json', JSON.stringify({ name: 'x'.repeat(defaultLimits.jsonBytes) })],
    ['application/x-www-form-urlencoded', `name=${'x'.repeat(defaultLimits.jsonBytes)}`],
  ),
  TOO_MANY_FILES: (name) => {
    const links = Array.from({ length: defaultLimits.files + 1 }, (_, n) => `https://cdn.summit.example/${n}`)
    const body = { ...examples[name].body, uploaded_files: links }
    return Object.values(encoded).map((encode) => ({ ...asking(name), ...encode(body) }))
  },
  IDEMPOTENCY_KEY_REUSED: (name) => {
    const request = asking(name)
    return [{ ...request, headers: { ...request.headers, 'idempotency-key': 'taken' } }]
  },
}

function badValues(schema: Members): [value: unknown, reason: string][] {
  const bad = (reason: string, ...values: unknown[]) => values.map((value): [unknown, string] => [value, reason])
  if (schema.type === 'integer')
    return bad('NOT_AN_INTEGER', 'x', '-1', '1.5', '0x1', '9'.repeat(30), 1.5, -1, 2 ** 53, true, [], {}, [1], { a: 1 })
  const limit = defaultLimits[schema['x-limit'] as keyof typeof defaultLimits]
  return [
    ...bad('NOT_A_STRING', true, [], {}, ['x'], { x: 'y' }),
    ...bad('TOO_LONG', 'x'.repeat(limit + 1), '😀'.repeat(limit + 1), `e${'\u0301'.repeat(limit)}`),
    ...bad('NOT_TEXT', 'a\0b', 'a\ud800', '\udc00b'),
    ...(schema['x-accepts-number'] ? [] : bad('NOT_A_STRING', 5)),
    ...(schema.pattern ? bad('BLANK', '', ' ', '\t\n\u3000') : []),
  ]
}

const notFiles: unknown[] = [
  ...[5, null, [], {}, { name: 'x' }, { link: 5 }, { data: 5 }, 'x', 'ftp://summit.example/a', 'javascript:alert(1)'],
  ...['https://', 'https://a/\0', 'https://a/\ud800', 'https://a/\n', `https://a/${'x'.repeat(defaultLimits.link)}`],
  ...['data:', 'data:image/png;base64', 'data:image/png;base64,*', 'data:,%zz', { link: 'file:///etc/passwd' }],
  ...[{ data: '*' }, { data: 'A' }, { data: pixel, name: 'x'.repeat(256) }, { data: pixel, fileType: 'text/\0' }],
]
const badUploads: [value: unknown, reason: string][] = [
  [5, 'NOT_AN_ARRAY'],
  [true, 'NOT_AN_ARRAY'],
  [{ link: 'https://cdn.summit.example/a' }, 'NOT_AN_ARRAY'],
  ...notFiles.map((element): [unknown, string] => [[element], 'NOT_A_FILE']),
]

// What an answer is made of, a database column, or a way to reach the prototype of everything.
const readOnly = {
  ...{ id: 99, is_deleted: '1', is_posted: '1', google_id: 'g-1', deleted_by: '7', modified_by: '7' },
  ...{ created_at: '1999-01-01 00:00:00', modified_at: '1999-01-01 00:00:00', deleted_at: '1999-01-01 00:00:00' },
  ...{ topic_id: 2, comment_id: 2, participantId: 2, header: 'x', likes: [{ id: '9' }], comment_count: 3 },
  ...{ files: [{ kind: 'stored', blobKey: '../x' }], blob_key: '../x', file_type: 'text/html', unheard_of: '1' },
  ...{ ['__proto__']: { is_deleted: 1, name: 'x' }, constructor: { prototype: { is_deleted: 1 } } },
}

test.each(withBody)('%s means the same in any encoding, and takes no member that is not its own', async (name) => {
  const body = examples[name].body ?? {}
  const plain = await outcomeOf({ ...asking(name), ...encoded.json(body) })
  const forms = [encoded.urlencoded, encoded.multipart]
  // Every other operation by one of the two forms, unless there is time.
  const some = isLong ? forms : [forms[withBody.indexOf(name) % 2] ?? encoded.json]
  for (const encode of [encoded.json, ...some])
    expect(await outcomeOf({ ...asking(name), ...encode({ ...readOnly, ...body }) })).toEqual(plain)
  expect(Object.prototype).not.toHaveProperty('is_deleted')
})

/** What a write answers, and all the records after it. */
async function outcomeOf(request: Ask) {
  await using t = await world()
  const [{ response_code, data }] = await envelopeOf(await ask(t, request))
  expect(response_code).toBe(responseCodes.success)
  return { data, records: await recordsOf(t) }
}

test.each(['createTopic', 'updateComment'] as const)(
  '%s takes a file in base64 and as a part of any of three names alike',
  async (name) => {
    const { uploaded_files: _, ...members } = examples[name].body ?? {}
    const file = new File([], 'notes.txt', { type: 'text/plain' })
    const data = Buffer.from('Grüße').toString('base64')
    const inBase64 = { ...members, uploaded_files: [{ name: file.name, fileType: file.type, data }] }
    const expected = await outcomeOf({ ...asking(name), ...encoded.json(inBase64) })
    expect(JSON.stringify(expected.data)).toContain('/notes.txt","fileType":"text/plain"')
    for (const part of ['uploaded_files', 'uploaded_files[]', 'uploaded_files[7]'])
      expect(await outcomeOf({ ...asking(name), ...multipart([...pairsOf(members), [part, file]]) })).toEqual(expected)
  },
)

test('a form may hold its text as bare UTF-8, as curl sends it', async () => {
  await using t = await world()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const heard = await ask(t, { ...asking('createTopic'), headers, body: 'name=Grüße 🍲&created_by=1' })
  expect((await envelopeOf(heard))[0].data.NewsFeed[0].content.header).toBe('Grüße 🍲')
  const latin1 = { ...asking('createTopic'), headers, body: Buffer.from('name=Grüße&created_by=1', 'latin1') }
  await expectFailure(await ask(t, latin1), 'MALFORMED_FORM')
})

// What hangs on a topic is deleted before the topic.
const deletes = writes.filter((name) => operationOf(name).method === 'DELETE').reverse()

test('a slash at the end of the address changes nothing', async () => {
  await using t = await world()
  for (const name of [...names.filter((name) => !deletes.includes(name)), ...deletes]) {
    const { path, ...request } = asking(name)
    const heard = await ask(t, { ...request, path: `${path}/` })
    const { data } = operationOf(name)
    if (!data) expectPicture(heard)
    else expect((await envelopeOf(heard))[0].response_code, name).toBe(deletes.includes(name) ? 2000 : 1000)
  }
})

test.each([{}, { 'content-length': '0' }, { 'transfer-encoding': 'chunked' }])(
  'deletes take a JSON content type without a body (%o)',
  async (length) => {
    await using t = await world()
    for (const name of deletes) {
      const request = { ...asking(name), headers: { 'content-type': 'application/json', ...length } }
      expect((await envelopeOf(await ask(t, request)))[0].response_code, name).toBe(responseCodes.deleted)
    }
  },
)

test('every address refuses the methods that it does not take, and says which it does', () =>
  expectNoChange(async (t) => {
    for (const name of names) {
      const { path } = operationOf(name)
      // A file may be called `delete`, so reading it is asked for at the address of deleting it.
      const methods = name === 'deleteFile' ? ['GET', 'DELETE'] : [operationOf(name).method]
      const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])]
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']) {
        if (allowed.includes(method)) continue
        const request = { method, path: asking(name).path }
        const heard = await ask(t, request)
        await expectFailure(heard, 'METHOD_NOT_ALLOWED')
        expect(heard.header('allow').join().split(', ').sort(), `${method} ${path}`).toEqual(allowed.sort())
      }
      const accept = 'application/problem+json'
      const { status } = await ask(t, { method: 'HEAD', path: asking(name).path, headers: { accept } })
      expect(status, `HEAD ${path}`).toBe(methods.includes('GET') ? 200 : 405)
    }
  }))

test('a file whose name is that of an action can be read where its link says', async () => {
  await using t = await world()
  const file = new File(['Grüße'], 'delete', { type: 'text/plain' })
  await t.client.createTopic({ name: 'Odd name', created_by: 1 }, { files: [file] })
  const link = make.only((await t.client.getTopic({ topic_id: 2 })).NewsFeed).content.uploaded_files[0]?.link ?? ''
  const heard = await ask(t, { method: 'GET', path: new URL(link).pathname })
  expect(heard.bytes.toString()).toBe('Grüße')
})

test('a request with the key of one that is under way is refused, for every operation that changes something', async () => {
  await using t = await world()
  const gate = Promise.withResolvers<void>()
  // A write that does not end keeps the others waiting, under way.
  const held = t.ctx.database.transaction(() => gate.promise)
  const first = writes.map((name) => askWithKey(t, name))
  // Both have the server's attention in the order in which they were sent, as the answer to the second shows.
  await new Promise((resolve) => setTimeout(resolve, 100))
  for (const name of writes) {
    const second = await askWithKey(t, name)
    await expectFailure(second, 'IDEMPOTENCY_KEY_IN_FLIGHT')
    expect(second.header('retry-after')).toEqual(['1'])
  }
  gate.resolve()
  await held
  for (const heard of await Promise.all(first)) await envelopeOf(heard)
})

function askWithKey(t: TestApp, name: OperationName): Promise<Heard> {
  const request = asking(name)
  return ask(t, { ...request, headers: { ...request.headers, 'idempotency-key': name } })
}

test('a bug of ours is a 5000 that says nothing of its cause, for every operation', async () => {
  await using t = await world()
  const tables = ['participant', 'event', 'topic', 'file', 'feedback', 'comment', 'topic_like'] as const
  await t.ctx.database.transaction(async (tx) => {
    for (const table of tables) await tx.schema.alterTable(table).renameTo(`lost_${table}`).execute()
  })
  for (const name of names) {
    const heard = await ask(t, asking(name))
    await expectFailure(heard, 'INTERNAL')
    expect(heard.bytes.toString()).not.toMatch(/sql|table|topic|\.ts|node/i)
  }
})

test('only a client that likes problem+json better than JSON gets it', () =>
  expectNoChange(async (t) => {
    const request = asking('getTopic', { params: { topic_id: 404 } })
    for (const accept of [
      '*/*',
      'application/json, application/problem+json;q=0.9',
      'application/problem+json;q=0',
      '',
    ]) {
      await expectFailure(await ask(t, { ...request, headers: { accept } }), 'TOPIC_NOT_FOUND')
    }
    for (const accept of ['application/problem+json', 'application/problem+json, */*;q=0.1'])
      expectProblem(await ask(t, { ...request, headers: { accept } }), 'TOPIC_NOT_FOUND')
  }))
