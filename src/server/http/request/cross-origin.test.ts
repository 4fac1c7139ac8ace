import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import { exchange } from '../../../../test/exchange.ts'

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

const codeOf = (answer: string): number => Number(/^\[\{"response_code":(\d+)/m.exec(answer)?.[1])

const topicsOf = async ({ ctx: { database } }: TestApp) =>
  (await database.read.selectFrom('topic').select('id').execute()).length

/** A page of evil.example has a browser send this. */
const crossSite = ['Sec-Fetch-Site: cross-site', 'Origin: https://evil.example']

const refused: [who: string, headers: string[]][] = [
  ['a page of another site', crossSite],
  ['a sandboxed page of another site', ['Sec-Fetch-Site: cross-site', 'Origin: null']],
  ['a page of another site that is said to be ours', ['Sec-Fetch-Site: cross-site', 'Origin: http://h.test:8080']],
  ['a page of another origin of the site', ['Sec-Fetch-Site: same-site', 'Origin: http://h.test:8081']],
  ['two answers to where it comes from', ['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site']],
  ['another origin in an older browser', ['Origin: https://evil.example']],
  ['another port in an older browser', ['Origin: http://h.test:8081']],
  ['an origin that begins as ours does', ['Origin: http://h.test:8080.evil.example']],
  ['a sandboxed page in an older browser', ['Origin: null']],
  ['no origin at all', ['Origin:']],
  ['two origins', ['Origin: http://h.test:8080', 'Origin: https://evil.example']],
]

const taken: [who: string, headers: string[]][] = [
  ['what is no browser', []],
  ['a page of ours', ['Sec-Fetch-Site: same-origin', 'Origin: http://h.test:8080']],
  ['a page of ours behind a proxy with a Host of its own', ['Sec-Fetch-Site: same-origin', 'Origin: https://a.test']],
  ['an app in a web view', ['Sec-Fetch-Site: cross-site', 'Origin: capacitor://localhost']],
  ['an app in an older web view', ['Origin: file://']],
  ['a page of ours whose proxy drops the port', ['Origin: http://h.test:8080', 'Host: h.test']],
  ['whoever sits at the browser', ['Sec-Fetch-Site: none']],
  ['a page of ours in an older browser', ['Origin: http://h.test:8080']],
  ['a page of ours behind TLS in an older browser', ['Origin: https://h.test', 'Host: H.test:443']],
]

describe.each([
  ['new', `${create}?`],
  ['known', create],
])('at an address that is %s, a write by', (_, path) => {
  let t: TestApp
  beforeAll(async () => {
    t = await testApp()
    expect(codeOf(await exchange(t, post(create, [])))).toBe(1000)
  })
  afterAll(() => t[Symbol.asyncDispose]())

  test.each(refused)('%s is refused', async (_who, headers) => {
    const before = await topicsOf(t)
    const answer = await exchange(t, post(path, headers))
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(answer).toContain('[{"response_code":4030,"data":{"message":"')
    expect(answer).toContain('"reason":"CROSS_ORIGIN","fields":[]')
    expect(await topicsOf(t)).toBe(before)
  })

  test.each(taken)('%s is taken', async (_who, headers) => {
    expect(codeOf(await exchange(t, post(path, headers)))).toBe(1000)
  })
})

test.each([
  ['https://summit.example', 1000],
  ['https://summit.example:8443', 4030],
  ['https://evil.example', 4030],
])(
  'behind a proxy with a Host of its own an older browser may write from PUBLIC_URL: %s is %i',
  async (origin, code) => {
    await using t = await testApp({ PUBLIC_URL: 'https://Summit.example:443/backend' })
    const answer = await exchange(t, post(create, [`Origin: ${origin}`, 'Host: 127.0.0.1:3000']))
    expect(codeOf(answer)).toBe(code)
  },
)

test('a request of HTTP/1.0 without a Host may have an Origin', async () => {
  await using t = await testApp({ PUBLIC_URL: 'https://summit.example' })
  const old = (origin: string) =>
    `POST ${create} HTTP/1.0\r\nOrigin: ${origin}\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`
  expect(codeOf(await exchange(t, old('https://summit.example')))).toBe(1000)
  expect(codeOf(await exchange(t, old('http://undefined')))).toBe(4030)
})

test('a page of another site may have read what it cannot see the answer to', async () => {
  await using t = await testApp()
  const get = `GET /api/newsfeeds/topics/0/1 HTTP/1.1\r\nHost: a\r\n${crossSite.join('\r\n')}\r\n\r\n`
  const answer = await exchange(t, get)
  expect(codeOf(answer)).toBe(1000)
  expect(answer).not.toMatch(/^access-control-/im)
})
