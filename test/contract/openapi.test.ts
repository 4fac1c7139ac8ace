import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import openapi from '../../docs/openapi.json' with { type: 'json' }
import { fieldReasons } from '../../src/contract/envelope.ts'
import { operations, operationsIn } from '../../src/contract/index.ts'
import { defaultLimits } from '../../src/contract/limits.ts'
import { openApi } from '../../src/contract/openapi.ts'
import { compileSchema } from '../../src/server/core/compile-schema.ts'
import { startAppWithKeys } from '../access/app-with-keys.ts'
import { startTestApp } from '../app.ts'
import * as make from '../make.ts'
import { startExampleApp } from './example-app.ts'
import { names } from './examples.ts'

// Compares docs/openapi.json with responses, and docs/api.md with the contract.

const root = join(import.meta.dirname, '../..')

const documentOptions = { limits: defaultLimits, version: '0', serverUrl: '/' }

interface DocumentedOperation {
  operationId: string
  responses: Record<string, { headers?: Record<string, unknown> }>
}

const documented = new Map(
  Object.values<Record<string, unknown>>(openapi.paths)
    .flatMap((path) => Object.values(path) as DocumentedOperation[])
    .map((operation) => [operation.operationId, operation.responses]),
)

/** All headers in the document. */
const documentedHeaders = Object.keys(openapi.components.headers)

/** The documented headers that a response has although the document does not list them for it. */
function findUndocumented(operation: string, { status, headers }: Response): string[] {
  const responses = documented.get(operation) ?? {}
  const response = responses[status] ?? responses[`${Math.floor(status / 100)}XX`]
  if (!response) return [`status ${status}`]
  return documentedHeaders.filter((name) => headers.has(name) && !(name in (response.headers ?? {})))
}

test.each([
  ['a file', 'readFile', '/api/newsfeeds/files/1/a.txt', {}, 200],
  ['a range of a file', 'readFile', '/api/newsfeeds/files/1/a.txt', { range: 'bytes=0-1' }, 206],
  ['a file that the client has', 'readFile', '/api/newsfeeds/files/1/a.txt', { 'if-none-match': '*' }, 304],
  ['a range beyond the end of a file', 'readFile', '/api/newsfeeds/files/1/a.txt', { range: 'bytes=99-' }, 416],
  ['an image that the client has', 'readBanner', '/api/program/banner/get/1', { 'if-none-match': '*' }, 304],
  ['a range of an image', 'readPhoto', '/api/program/photo/get/1', { range: 'bytes=0-1' }, 206],
  ['a failure', 'getTopic', '/api/newsfeeds/topics/9/details', {}, 200],
  ['a problem', 'getTopic', '/api/newsfeeds/topics/9/details', { accept: 'application/problem+json' }, 404],
] as const)('the document has the status and headers of %s', async (_, operation, path, headers, status) => {
  await using t = await startTestApp()
  await make.event(t)
  await make.topic(t, { uploaded_files: [{ name: 'a.txt', fileType: 'text/plain', data: 'R3LDvMOfZQ==' }] })
  const response = await fetch(t.url + path, { headers })
  expect(response.status).toBe(status)
  expect(response.headers.has('request-id')).toBe(true)
  expect(findUndocumented(operation, response)).toEqual([])
})

test('the document has the headers of a repeated write', async () => {
  await using t = await startTestApp()
  const add = () => t.client.call('addFeedback', { created_by: 1 }, { idempotencyKey: 'once' })
  await add()
  const { headers } = await add()
  expect(headers.get('idempotency-replayed')).toBe('true')
  expect(findUndocumented('addFeedback', new Response('', { headers }))).toEqual([])
})

test('the document says that feedback needs at least one of two members', () => {
  const { content } = openapi.paths['/api/feedback/add'].post.requestBody
  for (const { schema } of Object.values(content))
    expect(schema.anyOf).toEqual([{ required: ['participant_id'] }, { required: ['created_by'] }])
})

test('every record that the contract exports has a name in the document, given in openapi.ts', () => {
  const folder = join(root, 'src/contract')
  const code = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  const records = [...code.join('\n').matchAll(/^export const ([A-Z]\w+) = record\(/gm)].map(([, name = '']) => name)
  expect(records).toContain('Topic')
  const documents = (['open', 'members'] as const).map((access) => openApi({ ...documentOptions, access }))
  const schemas = Object.assign({}, ...documents.map((document) => (document as typeof openapi).components.schemas))
  expect(records.filter((name) => !(name in schemas))).toEqual([])
})

const guide = readFileSync(join(root, 'docs/api.md'), 'utf8')

test('the API guide has a table row for every operation, with the method of the client', () => {
  const rows = Array.from(guide.matchAll(/^\| `([A-Z]+ \/\S+)` \| `(\w+)` \|/gm), ([, request, name]) => [
    name,
    request,
  ])
  const methods = operationsIn('members').map(([name, { method, path }]) => [name, `${method} ${path}`])
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(methods))
})

test('the API guide says what every reason of a field means', () => {
  const [, table = ''] = /^\| reason of a field .*\n((?:\|.*\n)+)/m.exec(guide) ?? []
  const described = table.split('\n').flatMap((row) => row.split('|')[1]?.match(/(?<=`)[A-Z_]+(?=`)/g) ?? [])
  expect(described.sort()).toEqual([...fieldReasons].sort())
})

test('the examples of GET /api/me in the API guide have exactly the members of the contract', () => {
  const [, section = ''] = guide.split('### The shape of `me`')
  const [ofParticipant, ofOrganizer, ...others] = Array.from(
    section.matchAll(/```json\n(\{\n {2}"me"[^`]*)```/g),
    ([, text]) => JSON.parse(text ?? ''),
  )
  expect(others).toEqual([])
  const schema = compileSchema(operations.getMe.data, {})
  expect([ofParticipant, ofOrganizer].map((example) => schema.Check(example))).toEqual([true, true])
})

interface Sample {
  examples?: unknown[]
  type?: string
  properties?: Record<string, Sample>
  required?: string[]
}

/** What Swagger UI fills in for a member of a body. */
const sampleOf = ({ examples, type, properties }: Sample): unknown => {
  if (examples) return examples[0]
  if (properties)
    return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, sampleOf(member)]))
  return type === 'integer' ? 0 : type === 'boolean' ? true : 'string'
}

interface RequestInDocument {
  name: string
  method: string
  path: string
  /** The body, with its media type; '' for none. */
  type: string
  body: unknown
}

/** A request with the examples of the document for each operation and each media type. */
function requestsIn(document: object): RequestInDocument[] {
  const { paths, components } = document as typeof openapi
  const resolved = (schema: Sample & { $ref?: string }): Sample =>
    schema.$ref === undefined ? schema : (components.schemas[schema.$ref.split('/')[3] as 'Uploads'] as Sample)
  const requests = (path: string, method: string, operation: Record<string, never>): RequestInDocument[] => {
    const {
      operationId: name,
      parameters = [],
      requestBody,
    } = operation as unknown as {
      operationId: string
      parameters?: { name: string; in: string; required?: boolean; example?: unknown }[]
      requestBody?: { content: Record<string, { schema: Sample }> }
    }
    const filled = parameters
      .filter((parameter) => parameter.in === 'path')
      .reduce((text, parameter) => text.replace(`{${parameter.name}}`, String(parameter.example)), path)
    const query = new URLSearchParams(
      parameters
        .filter((parameter) => parameter.in === 'query' && parameter.required)
        .map((parameter) => [parameter.name, String(parameter.example)] as [string, string]),
    )
    const bodies = Object.entries(requestBody?.content ?? { '': { schema: {} } })
    return bodies.map(([type, { schema }]) => {
      const members = Object.entries(schema.properties ?? {}).map(([member, some]) => [
        member,
        sampleOf(resolved(some)),
      ])
      return {
        ...{ name, method: method.toUpperCase(), path: `${filled}?${query}`, type },
        body: Object.fromEntries(members),
      }
    })
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      requests(path, method, operation as Record<string, never>),
    ),
  )
}

async function send(
  url: string,
  { method, path, type, body }: RequestInDocument,
  headers: Record<string, string> = {},
) {
  const pairs = Object.entries(body as object).flatMap(([name, value]) =>
    Array.isArray(value) ? value.map((element) => [name, element]) : [[name, value]],
  )
  const form = type === 'multipart/form-data' ? new FormData() : new URLSearchParams()
  for (const [name, value] of pairs) form.append(name, typeof value === 'object' ? JSON.stringify(value) : value)
  const isJson = type === 'application/json'
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, ...(isJson && { 'content-type': type }) },
    ...(type !== '' && { body: isJson ? JSON.stringify(body) : form }),
  })
  const text = await response.text()
  return response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text)[0] : undefined
}

test('every operation of the interface specification accepts the examples of the document, in each media type', async () => {
  const requests = requestsIn(openApi({ ...documentOptions, access: 'open' })).filter(({ name }) =>
    names.some((specified) => specified === name),
  )
  // Records are deleted last, files and comments before their topic.
  const [deletes, others] = [true, false].map((isDelete) =>
    requests.filter(({ method }) => (method === 'DELETE') === isDelete),
  )
  await using t = await startExampleApp()
  const refused: unknown[] = []
  for (const request of [...(others ?? []), ...(deletes ?? []).reverse()]) {
    const envelope = await send(t.url, request)
    if (envelope && envelope.response_code >= 4000) refused.push([request.name, request.type, envelope.data.reason])
  }
  // The name of a photo or logo is the hash of its bytes.
  expect(refused).toEqual([
    ['readLogo', '', 'FILE_NOT_FOUND'],
    ['readParticipantPhoto', '', 'FILE_NOT_FOUND'],
  ])
})

test('no example of the document is invalid where people sign in', async () => {
  await using t = await startAppWithKeys('members')
  const requests = requestsIn(openApi({ ...documentOptions, access: 'members' }))
  const [erasures, others] = [true, false].map((erases) =>
    requests.filter(({ name }) => (name === 'eraseOwnData') === erases),
  )
  const invalid: unknown[] = []
  for (const request of [...(others ?? []), ...(erasures ?? [])])
    for (const holder of [{ participant: t.ana.participant }, { roles: ['owner'] as const }]) {
      // A key of its own, which the request may revoke.
      const { headers } = await t.issueKey(holder)
      const envelope = await send(t.url, request, request.path.startsWith('/api/sign-in/') ? {} : headers)
      // Swagger UI cannot fill in a file.
      const fields = (envelope?.data.fields ?? []).filter(({ field }: { field: string }) => field !== 'file')
      if (envelope?.response_code === 4220 && fields.length > 0) invalid.push([request.name, request.type, fields])
    }
  expect(invalid).toEqual([])
})
