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
