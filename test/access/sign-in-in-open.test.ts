import { expect, test } from 'vitest'
import { createSetupInvitation } from '../../src/server/auth/invitations.ts'
import { createKey } from '../../src/server/auth/keys.ts'
import { noParticipant } from '../../src/server/core/ids.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { send } from '../contract/requests.ts'
import { inCommand } from '../in-command.ts'
import * as make from '../make.ts'
import { sendRawRequests } from '../send-raw-requests.ts'
import { appOrigin } from './origins.ts'
import { register, signIn, start } from './passkeys.ts'
import { cookieOf, inviteAsOrganizer, ownPage, sendInvitation, signInWith } from './sessions.ts'
import { createAuthenticator } from './software-authenticator.ts'

// How organizers sign in where `ACCESS` is `open`, without and with `PUBLIC_URL`.

const eva = 'eva@summit.example'
const minute = 60_000

type Headers = Record<string, string>

const baseOf = ({ url }: Pick<TestApp, 'url'>) => `http://localhost:${new URL(url).port}`

const keyIn = async (t: TestApp) => {
  const key = { label: 'test', participant: noParticipant, roles: ['owner'] as const, expiresAt: 0 }
  const { secret } = await inCommand(t, (scope) => createKey(scope, key))
  return { headers: { authorization: `Bearer ${secret}` } }
}

const setupToken = (t: TestApp) => inCommand(t, (scope) => createSetupInvitation(scope, scope.now + 30 * minute))

const become = (t: TestApp, token: string, headers: Headers = {}, email = eva) =>
  make.send(t, 'POST', '/api/sign-in/invitation', JSON.stringify({ token, email }), { ...ownPage, ...headers })

test('a setup link makes one owner, once', async () => {
  await using t = await startTestApp()
  const token = await setupToken(t)
  const both = await Promise.all([become(t, token), become(t, token, {}, 'mo@summit.example')])
  expect(both.map(({ response_code }) => response_code).sort()).toEqual([1000, 4031])
  expect((await become(t, token)).response_code).toBe(4031)
  const late = await setupToken(t)
  expect((await become(t, late, {}, 'mo@summit.example')).response_code).toBe(4031)
})

test('a setup link ends after 30 minutes', async () => {
  await using t = await startTestApp()
  const token = await setupToken(t)
  t.advance(30 * minute)
  expect((await become(t, token)).response_code).toBe(4031)
})

test('a sign-in starts a session of its own, whatever cookie the browser had before', async () => {
  await using t = await startTestApp()
  const planted = `smt_${'B'.repeat(43)}`
  const first = await become(t, await setupToken(t), { cookie: `__Host-summit=${planted}` })
  expect(first.headers.get('set-cookie')).toMatch(
    /^__Host-summit=smt_[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=604800$/,
  )
  expect(cookieOf(first)).not.toContain(planted)
  const meOf = async (cookie: string) => (await make.send(t, 'GET', '/api/me', undefined, { cookie })).response_code
  expect(await meOf(`__Host-summit=${planted}`)).toBe(4010)
  expect(await meOf(cookieOf(first))).toBe(1000)
  // Somebody who plants the cookie of a session does not get into the one that follows it.
  const token = await inviteAsOrganizer(t, 'mo@summit.example', ['desk'])
  const second = await sendInvitation(t.url, token, { cookie: cookieOf(first) })
  expect(cookieOf(second)).not.toBe(cookieOf(first))
  expect([await meOf(cookieOf(first)), await meOf(cookieOf(second))]).toEqual([4010, 1000])
})

test('an organizer adds a passkey for localhost, and signs in with it there only', async () => {
  await using t = await startTestApp()
  const session = await signInWith(t.url, await inviteAsOrganizer(t, eva, ['owner']))
  const authenticator = createAuthenticator(baseOf(t))
  expect((await register(t, session, authenticator)).response_code).toBe(1000)
  expect((await start(t.url, '/api/sign-in/passkey')).options).toMatchObject({ rpId: 'localhost' })
  expect((await signIn(t.url, authenticator)).data).toMatchObject({ me: { organizer: { email: eva } } })
  for (const origin of [t.url, 'https://localhost', 'http://localhost:1', 'http://evil.example'])
    expect((await signIn(t.url, authenticator, { origin })).response_code, origin).toBe(4031)
  expect((await signIn(t.url, authenticator, { rpId: 'evil.example' })).response_code).toBe(4031)
})

const inviteVia = (t: TestApp, host: string, authorization: string, headers = '') => {
  const body = '{"email":"mo@summit.example","roles":"reader"}'
  return sendRawRequests(
    t,
    `POST /api/organizers/invite HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\n${headers}` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
}
const challengeVia = (t: TestApp, host: string, headers = '') =>
  sendRawRequests(t, `POST /api/sign-in/passkey/start HTTP/1.1\r\nHost: ${host}\r\n${headers}Content-Length: 0\r\n\r\n`)

test('a foreign name that resolves to this machine gets nothing, and becomes no part of a link or passkey', async () => {
  await using t = await startTestApp()
  const { authorization = '' } = (await keyIn(t)).headers
  const { port } = new URL(t.url)
  for (const name of ['evil.example', 'localhost.evil.example']) {
    expect(await inviteVia(t, `${name}:${port}`, authorization)).toContain('"reason":"UNKNOWN_HOST"')
    expect(await challengeVia(t, `${name}:${port}`)).toContain('"reason":"UNKNOWN_HOST"')
    const me = `GET /me HTTP/1.1\r\nHost: ${name}:${port}\r\n\r\n`
    expect(await sendRawRequests(t, me)).toMatch(/^HTTP\/1\.1 400 /)
  }
  // As a proxy on this machine may forward it.
  expect(await inviteVia(t, 'evil.example', authorization)).toContain(`"link":"${baseOf(t)}/sign-in#smt_`)
  expect(await challengeVia(t, 'evil.example')).toContain('"rpId":"localhost"')
})

test('a server on the network makes links and passkeys for its own machine, and takes no page of another name', async () => {
  await using t = await startTestApp({ HOST: '0.0.0.0', ACCESS: 'open' })
  const { authorization = '' } = (await keyIn(t)).headers
  const { port } = new URL(t.url)
  const host = `evil.example:${port}`
  expect(await inviteVia(t, host, authorization)).toContain(`"link":"${baseOf(t)}/sign-in#smt_`)
  expect(await challengeVia(t, host)).toContain('"rpId":"localhost"')
  const ofPage = `Origin: http://${host}\r\n`
  const refused = await challengeVia(t, host, ofPage)
  expect(refused).toContain('"reason":"CROSS_ORIGIN"')
  expect(refused).not.toMatch(/^set-cookie/im)
})

test('without PUBLIC_URL, the pages to sign in are on this machine only, and say so on others', async () => {
  await using t = await startTestApp({ HOST: '0.0.0.0', ACCESS: 'open' })
  const { port } = new URL(t.url)
  const page = (path: string, host: string) =>
    sendRawRequests(t, `GET ${path} HTTP/1.1\r\nHost: ${host}:${port}\r\nConnection: close\r\n\r\n`)
  for (const path of ['/setup', '/sign-in']) {
    const elsewhere = await page(path, '192.168.1.5')
    expect(elsewhere).toMatch(/^HTTP\/1.1 403 /)
    expect(elsewhere).toContain('<code>http://localhost:')
    expect(elsewhere).not.toContain('<form')
    for (const host of ['localhost', '127.0.0.1', '[::1]'])
      expect(await page(path, host)).not.toMatch(/^HTTP\/1.1 403 /)
  }
})

test('PUBLIC_URL names links and passkeys, never the Host', async () => {
  await using t = await startTestApp({ PUBLIC_URL: 'https://summit.example/backend', CORS_ORIGINS: appOrigin })
  const { authorization = '' } = (await keyIn(t)).headers
  expect(await inviteVia(t, 'proxy.example', authorization)).toContain(
    '"link":"https://summit.example/backend/sign-in#smt_',
  )
  expect(await challengeVia(t, 'proxy.example')).toContain('"rpId":"summit.example"')
  const preflight = await send(t, { method: 'OPTIONS', path: '/api/organizers', headers: { origin: appOrigin } })
  expect(preflight.header('access-control-allow-headers').join()).not.toContain('Authorization')
  expect(preflight.header('access-control-allow-credentials')).toEqual([])
})
