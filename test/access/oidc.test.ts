import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { startTestApp } from '../app.ts'
import { Browser } from './browser.ts'
import { createOtherKey, rewriteIdToken, signJwt } from './identity-provider.ts'
import { alertIn, changesOf, connectAccount, eva, organizerIn, startAppWithProvider, trustProvider } from './oidc.ts'

trustProvider()

const notConnected = /^This account does not belong to an organizer yet\./
const invalid = /^The identity provider sent a response that is not valid/

test('an organizer connects an account in the session of an invitation, signs in with it anywhere, and disconnects it', async () => {
  await using t = await startAppWithProvider()
  const invited = await connectAccount(t)
  expect((await invited.client.getMe({})).me.identity).toEqual({
    issuer: t.provider.issuer,
    connected_at: '2030-05-01 09:00:00',
  })
  const browser = new Browser(t.url)
  const { url, text } = await browser.visit('/sign-in/oidc')
  expect([url, text]).toEqual(['https://summit.example/me', expect.stringContaining(eva)])
  expect(browser.cookie('__Host-summit-login')).toBe(undefined)
  expect(await changesOf(t, 'organizer.connected')).toEqual([1])

  await browser.client.disconnectIdentity({})
  await browser.client.disconnectIdentity({})
  expect(await changesOf(t, 'organizer.disconnected')).toEqual([1])
  expect((await browser.client.getMe({})).me.identity).toBe(null)
  expect(alertIn((await new Browser(t.url).visit('/sign-in/oidc')).text)).toMatch(notConnected)
})

test('a callback for a login that was not begun here, or that has ended, causes no request to the provider', async () => {
  await using t = await startAppWithProvider()
  const callBack = async (cookie: string, state: string) => {
    const path = `/sign-in/oidc/callback?${new URLSearchParams({ code: 'x', state, iss: t.provider.issuer })}`
    const response = await fetch(t.url + path, { headers: { cookie: `__Host-summit-login=${cookie}` } })
    return [response.status, alertIn(await response.text())]
  }
  const own = `smt_${'A'.repeat(43)}`
  const stateOf = (secret: string) => createHmac('sha256', secret).update('state').digest('base64url')
  const browser = new Browser(t.url)
  await browser.visit('/sign-in/oidc', { until: `${t.provider.issuer}/` })
  const [secret = '', expiresAt = '', signature = ''] = browser.cookie('__Host-summit-login')?.split('.') ?? []
  const unknown = [400, expect.stringMatching(/^This sign-in took longer than 10 minutes/)]
  for (const cookie of [own, `${own}.connect`, [own, expiresAt, signature].join('.')])
    expect(await callBack(cookie, stateOf(own)), cookie).toEqual(unknown)
  expect(await callBack([secret, Number(expiresAt) + 1, signature].join('.'), stateOf(secret))).toEqual(unknown)
  const valid = [secret, expiresAt, signature].join('.')
  expect(await callBack(valid, stateOf(secret))).toEqual([403, 'The identity provider did not sign you in.'])
  const { length } = t.provider.requests
  t.advance(10 * 60_000)
  expect(await callBack(valid, stateOf(secret))).toEqual(unknown)
  expect(t.provider.requests).toHaveLength(length)
  expect(t.provider.tokenRequests).toHaveLength(1)
})

test('an account whose e-mail address is that of an organizer is nobody until it is connected', async () => {
  await using t = await startAppWithProvider()
  await t.owner.client.inviteOrganizer({ email: eva, roles: 'owner' })
  const browser = new Browser(t.url)
  const { status, text } = await browser.visit('/sign-in/oidc')
  expect([status, alertIn(text)]).toEqual([403, expect.stringMatching(notConnected)])
  expect(browser.cookie('__Host-summit')).toBe(undefined)
})

test.each<[string, (claims: object, idToken: string) => string]>([
  ['not signed', (claims) => signJwt({ alg: 'none' }, claims)],
  ['signed with another key', (claims) => signJwt({ alg: 'RS256', kid: 'test' }, claims, createOtherKey())],
])('an ID token that is %s signs nobody in', async (_, change) => {
  await using t = await startAppWithProvider()
  await connectAccount(t)
  t.provider.rewrite = rewriteIdToken(change)
  const browser = new Browser(t.url)
  const { status, text } = await browser.visit('/sign-in/oidc')
  expect([status, alertIn(text)]).toEqual([502, expect.stringMatching(invalid)])
  expect(await organizerIn(browser)).toBe(undefined)
})

test('where ACCESS is open, or without a provider, there is no sign-in with accounts', async () => {
  const settings = { OIDC_ISSUER: 'https://login.example', OIDC_CLIENT_ID: 'summit', OIDC_CLIENT_SECRET: 'secret' }
  const members = { ACCESS: 'members', PUBLIC_URL: 'https://summit.example' }
  for (const given of [settings, members]) {
    await using t = await startTestApp(given)
    for (const path of ['', '/connect', '/callback'])
      expect((await fetch(`${t.url}/sign-in/oidc${path}`)).status).toBe(404)
  }
})
