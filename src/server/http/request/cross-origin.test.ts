import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestStorage, startTestApp, type TestApp } from '../../../../test/app.ts'
import { sendRawRequests } from '../../../../test/send-raw-requests.ts'
import { startRecordedServer } from '../../lifecycle/recorded-server.fixtures.ts'

const create = '/api/newsfeeds/topics/create'
const body = 'name=Lunch&created_by=1'

const post = (path: string, headers: readonly string[]): string =>
  [
    `POST ${path} HTTP/1.1`,
    ...(headers.some((header) => header.startsWith('Host:')) ? [] : ['Host: h.test:8080']),
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
    ...headers,
    '',
    body,
  ].join('\r\n')

const codeOf = (response: string): number => Number(/^\[\{"response_code":(\d+)/m.exec(response)?.[1])

const topicsOf = async ({ ctx: { database } }: TestApp) =>
  (await database.read.selectFrom('topic').select('id').execute()).length

/** The headers of a browser's request for a page of evil.example. */
const crossSite = ['Sec-Fetch-Site: cross-site', 'Origin: https://evil.example']

const rejected: [sender: string, headers: string[]][] = [
  ['a page of another site', crossSite],
  ['a sandboxed page of another site', ['Sec-Fetch-Site: cross-site', 'Origin: null']],
  ['a page of another site with our Origin', ['Sec-Fetch-Site: cross-site', 'Origin: http://h.test:8080']],
  ['a page of another origin on the same site', ['Sec-Fetch-Site: same-site', 'Origin: http://h.test:8081']],
  ['contradictory Sec-Fetch-Site headers', ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site']],
  ['another origin in an older browser', ['Origin: https://evil.example']],
  ['another port in an older browser', ['Origin: http://h.test:8081']],
  ['an origin that starts with ours', ['Origin: http://h.test:8080.evil.example']],
  ['a sandboxed page in an older browser', ['Origin: null']],
  ['an empty Origin', ['Origin:']],
  ['two Origin headers', ['Origin: http://h.test:8080', 'Origin: https://evil.example']],
]

const accepted: [sender: string, headers: string[]][] = [
  ['a client that is not a browser', []],
  ['a page of ours', ['Sec-Fetch-Site: same-origin', 'Origin: http://h.test:8080']],
  ['a page of ours behind a proxy that rewrites Host', ['Sec-Fetch-Site: same-origin', 'Origin: https://a.test']],
  ['an app in a web view', ['Sec-Fetch-Site: cross-site', 'Origin: capacitor://localhost']],
  ['an app in an older web view', ['Origin: file://']],
  ['a page of ours whose proxy drops the port', ['Origin: http://h.test:8080', 'Host: h.test']],
  ['the user of a browser, from the address bar', ['Sec-Fetch-Site: none']],
  ['a page of ours in an older browser', ['Origin: http://h.test:8080']],
  ['a page of ours behind TLS in an older browser', ['Origin: https://h.test', 'Host: H.test:443']],
]

describe.each([
  ['with', `${create}?`],
  ['without', create],
])('at a URL %s a query, a write by', (_, path) => {
  let t: TestApp
  beforeAll(async () => {
    t = await startTestApp()
    expect(codeOf(await sendRawRequests(t, post(create, [])))).toBe(1000)
  })
  afterAll(() => t[Symbol.asyncDispose]())

  test.each(rejected)('%s is rejected', async (_, headers) => {
    const before = await topicsOf(t)
    const response = await sendRawRequests(t, post(path, headers))
    expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(response).toContain('[{"response_code":4030,"data":{"message":"')
    expect(response).toContain('"reason":"CROSS_ORIGIN","fields":[]')
    expect(await topicsOf(t)).toBe(before)
  })

  test.each(accepted)('%s is accepted', async (_, headers) => {
    expect(codeOf(await sendRawRequests(t, post(path, headers)))).toBe(1000)
  })
})

test.each([
  ['https://summit.example', 1000],
  ['https://summit.example:8443', 4030],
  ['https://evil.example', 4030],
])(
  'behind a proxy that rewrites Host, an older browser may write from PUBLIC_URL only: %s gets %i',
  async (origin, code) => {
    await using t = await startTestApp({ PUBLIC_URL: 'https://Summit.example:443/backend' })
    const response = await sendRawRequests(t, post(create, [`Origin: ${origin}`, 'Host: 127.0.0.1:3000']))
    expect(codeOf(response)).toBe(code)
  },
)

test('an HTTP/1.0 request without Host is checked by its Origin', async () => {
  await using t = await startTestApp({ PUBLIC_URL: 'https://summit.example' })
  const old = (origin: string) =>
    `POST ${create} HTTP/1.0\r\nOrigin: ${origin}\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`
  expect(codeOf(await sendRawRequests(t, old('https://summit.example')))).toBe(1000)
  expect(codeOf(await sendRawRequests(t, old('http://undefined')))).toBe(4030)
})

test('a page of another site may send a read, whose response the browser hides from it', async () => {
  await using t = await startTestApp()
  const get = `GET /api/newsfeeds/topics/0/1 HTTP/1.1\r\nHost: a\r\n${crossSite.join('\r\n')}\r\n\r\n`
  const response = await sendRawRequests(t, get)
  expect(codeOf(response)).toBe(1000)
  expect(response).not.toMatch(/^access-control-/im)
})

test('the log of a rejected write names the setting that would allow it', async () => {
  await using storage = await createTestStorage()
  await using server = await startRecordedServer({ ...storage.settings, LOG_LEVEL: 'warn' })
  expect(codeOf(await sendRawRequests(server, post(create, crossSite)))).toBe(4030)
  expect(await server.close()).toEqual([
    expect.objectContaining({
      msg: 'request failed',
      level: 40,
      reason: 'CROSS_ORIGIN',
      err: expect.objectContaining({ message: expect.stringContaining('add its origin to CORS_ORIGINS') }),
    }),
  ])
})
