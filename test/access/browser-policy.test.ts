import { describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../app.ts'
import { pixel } from '../contract/examples.ts'
import { send, type TestRequest } from '../contract/requests.ts'
import * as make from '../make.ts'
import { startAppWithKeys } from './app-with-keys.ts'
import { signInAsOrganizer } from './sessions.ts'

const names = ['content-security-policy', 'x-content-type-options', 'referrer-policy', 'strict-transport-security']

const policyOf = async (t: TestApp, request: TestRequest) => {
  const response = await send(t, request)
  return { status: response.status, policy: names.map((name) => response.header(name)) }
}

const [topics, topic, file] = [
  '/api/newsfeeds/topics/0/10',
  '/api/newsfeeds/topics/1/details',
  '/api/newsfeeds/files/1/pixel.png',
]
const problem = { accept: 'application/problem+json' }
const json = { 'content-type': 'application/json' }
const none = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const sandbox = "sandbox; default-src 'none'; base-uri 'none'; frame-ancestors 'none'"
const ofGuide = expect.stringMatching(
  /^default-src 'none'; style-src 'nonce-[^;]*; img-src data:; base-uri 'none'; frame-ancestors 'none'$/,
)
const ofDocs = expect.stringMatching(/nonce-.*frame-ancestors 'none'$/)
const ofPage = expect.stringMatching(
  /frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'$/,
)

const requests: [
  what: string,
  request: Omit<TestRequest, 'method'> & { method?: string },
  status: number,
  policy: unknown,
][] = [
  ['a read', { path: topics }, 200, none],
  ['a read that has been cached', { path: topics }, 200, none],
  ['a head', { method: 'HEAD', path: topics }, 200, none],
  ['a failure', { path: '/api/newsfeeds/topics/99/details' }, 200, none],
  ['a problem', { path: '/api/newsfeeds/topics/99/details', headers: problem }, 404, none],
  ['a refused write', { method: 'POST', path: '/api/newsfeeds/topics/create', headers: json, body: '{' }, 200, none],
  ['an unknown path', { path: '/nothing' }, 404, none],
  ['another method', { method: 'PATCH', path: topic }, 200, none],
  ['a path that cannot be decoded', { path: '/api/%zz' }, 200, none],
  ['a file', { path: file }, 200, sandbox],
  ['a head of a file', { method: 'HEAD', path: file }, 200, sandbox],
  ['a range of a file', { path: file, headers: { range: 'bytes=0-1' } }, 206, sandbox],
  ['a file that the client has', { path: file, headers: { 'if-none-match': '*' } }, 304, sandbox],
  ['a range beyond the end of a file', { path: file, headers: { range: 'bytes=99999-' } }, 416, sandbox],
  ['the sign-in page', { path: '/sign-in' }, 200, ofPage],
  ['the docs page', { path: '/docs' }, 200, ofDocs],
  ['the API guide', { path: '/docs/guide' }, 200, ofGuide],
  ['the OpenAPI document', { path: '/openapi.json' }, 200, none],
  ['a redirection', { path: '/docs/' }, 302, none],
  ['the metrics', { path: '/metrics' }, 200, none],
  ['the health', { path: '/healthz' }, 200, none],
]

async function addRecords(t: TestApp): Promise<void> {
  await make.topic(t, { uploaded_files: [{ name: 'pixel.png', fileType: 'image/png', data: pixel }] })
}

describe('where ACCESS is not open, browsers are told to run, frame and leak nothing', () => {
  test.each(['public', 'members'] as const)('by every response, with ACCESS=%s', async (access) => {
    await using t = await startAppWithKeys(access)
    await addRecords({ ...t, client: t.ana.client })
    for (const [what, request, status, policy] of requests) {
      const headers = request.path.startsWith('/api') ? { ...request.headers, ...t.ana.headers } : request.headers
      const sent = await policyOf(t, { method: 'GET', ...request, ...(headers && { headers }) })
      const referrer = what.endsWith('sign-in page') ? 'same-origin' : 'no-referrer'
      expect(sent, what).toEqual({ status, policy: [[policy], ['nosniff'], [referrer], ['max-age=31536000']] })
    }
  })

  test('by pages that are cached, too', async () => {
    await using t = await startAppWithKeys('public')
    for (const status of [200, 200]) {
      const policy = [[ofPage], ['nosniff'], ['same-origin'], ['max-age=31536000']]
      expect(await policyOf(t, { method: 'GET', path: '/' })).toEqual({ status, policy })
    }
  })

  test('by writes, downloads and responses at a secret URL', async () => {
    await using t = await startAppWithKeys('members')
    const eva = await signInAsOrganizer(t, 'eva@summit.example', ['owner'])
    const personal = await t.issuePersonalUrl(t.ana.participant)
    const others: [TestRequest, string][] = [
      [
        { method: 'PUT', path: '/api/me/sharing', headers: { ...json, ...t.ana.headers }, body: '{"email":true}' },
        none,
      ],
      [{ method: 'GET', path: '/api/me/export', headers: t.ana.headers }, sandbox],
      [{ method: 'GET', path: '/api/changes/0/10', headers: eva.headers }, none],
      [{ method: 'GET', path: `${personal.prefix}${topics}` }, none],
      [{ method: 'POST', path: '/api/me/sign-out', headers: { ...json, ...eva.headers }, body: '{}' }, none],
    ]
    for (const [request, policy] of others)
      expect(await policyOf(t, request), request.path).toEqual({
        status: 200,
        policy: [[policy], ['nosniff'], ['no-referrer'], ['max-age=31536000']],
      })
  })

  test.each(['/', '/program?q=x', '/plan', '/nothing', '/sign-in'])('pages, too: %s', async (path) => {
    await using t = await startAppWithKeys('public', { PUBLIC_URL: 'https://summit.example' })
    const { policy } = await policyOf(t, { method: 'GET', path, headers: { accept: 'text/html' } })
    const own = expect.stringContaining(`script-src https://summit.example/web/ ${t.url}/web/;`)
    expect(policy).toEqual([[own], ['nosniff'], ['same-origin'], ['max-age=31536000']])
  })

  test('but a server on this machine does not demand TLS, which would apply to other programs on it', async () => {
    await using t = await startAppWithKeys('public', { PUBLIC_URL: 'https://localhost:8443' })
    expect((await send(t, { method: 'GET', path: topics })).header('strict-transport-security')).toEqual([])
  })
})

test('where ACCESS is open, responses have the headers of the interface specification only', async () => {
  await using t = await startTestApp({ PUBLIC_URL: 'https://summit.example' })
  await addRecords(t)
  expect((await policyOf(t, { method: 'GET', path: topics })).policy).toEqual([[], [], [], []])
  expect((await policyOf(t, { method: 'GET', path: '/api/nothing' })).policy).toEqual([[], [], [], []])
  expect((await policyOf(t, { method: 'GET', path: file })).policy).toEqual([
    ["sandbox; default-src 'none'"],
    ['nosniff'],
    [],
    [],
  ])
})
