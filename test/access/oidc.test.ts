import { describe, expect, test } from 'vitest'
import type { TestApp } from '../app.ts'
import { publicUrl } from './app-with-keys.ts'
import { Browser } from './browser.ts'
import { createOtherKey, rewriteIdToken, signJwt } from './identity-provider.ts'
import {
  alertIn,
  browserOf,
  changesOf,
  connectAccount,
  eva,
  notConnected,
  organizerIn,
  startAppWithProvider,
  trustProvider,
} from './oidc.ts'
import { notOwnPage } from './oidc-outcomes.ts'

trustProvider()

const invalid = /^The identity provider sent a response that is not valid/

test('an organizer connects an account in the session of an invitation, signs in with it anywhere, and disconnects it', async () => {
  await using t = await startAppWithProvider()
  const invited = await connectAccount(t)
  expect((await invited.client.getMe({})).me.identity).toEqual({
    issuer: t.provider.issuer,
    subject: 'eva',
    name: 'eva@summit.example',
    connected_at: '2030-05-01 09:00:00',
  })
  const browser = new Browser(t.url)
  const { url } = await browser.submit('/sign-in/oidc')
  expect([url, await organizerIn(browser)]).toEqual(['https://summit.example/console', eva])
  expect(browser.cookie('__Host-summit-login')).toBe(undefined)
  expect(await changesOf(t, 'organizer.connected')).toEqual([1])

  await browser.client.disconnectIdentity({})
  await browser.client.disconnectIdentity({})
  expect(await changesOf(t, 'organizer.disconnected')).toEqual([1])
  expect((await browser.client.getMe({})).me.identity).toBe(null)
  expect(alertIn((await new Browser(t.url).submit('/sign-in/oidc')).text)).toMatch(notConnected)
})

describe('a login begins', () => {
  const begin = (t: TestApp, path: string, headers: Record<string, string>) =>
    fetch(t.url + path, { method: 'POST', headers, redirect: 'manual' })
  const paths = ['/sign-in/oidc', '/sign-in/oidc/connect']

  test.each<[string, Record<string, string>]>([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site', origin: 'https://other.summit.example' }],
    ['no page', { 'sec-fetch-site': 'none' }],
    ['another site, in an older browser', { origin: 'https://evil.example' }],
    ['a page that hides its origin, in an older browser', { origin: 'null' }],
    ['an unknown place', {}],
  ])('for no form of %s', async (_, headers) => {
    await using t = await startAppWithProvider()
    const cookie = `__Host-summit=${(await browserOf(t, eva)).cookie('__Host-summit')}`
    for (const path of paths) {
      const response = await begin(t, path, { cookie, ...headers })
      expect([response.status, alertIn(await response.text())]).toEqual(notOwnPage)
      expect([response.headers.get('set-cookie'), response.headers.get('refresh')]).toEqual([null, null])
    }
    expect(t.provider.requests).toEqual([])
  })

  test.each([{ 'sec-fetch-site': 'same-origin' }, { origin: publicUrl }])('for a form of ours: %j', async (headers) => {
    await using t = await startAppWithProvider()
    const cookie = `__Host-summit=${(await browserOf(t, eva)).cookie('__Host-summit')}`
    for (const path of paths) {
      const response = await begin(t, path, { cookie, ...headers })
      expect(response.headers.get('refresh')).toContain(`url=${t.provider.issuer}/auth?`)
    }
  })

  test('for no link, which leads to the page of the form', async () => {
    await using t = await startAppWithProvider()
    for (const from of ['own page', 'other site'] as const)
      expect((await new Browser(t.url).visit('/sign-in/oidc', { from })).url).toBe(`${publicUrl}/sign-in`)
    expect(t.provider.requests).toEqual([])
  })
})

test.each<[string, (claims: object, idToken: string) => string]>([
  ['not signed', (claims) => signJwt({ alg: 'none' }, claims)],
  ['signed with another key', (claims) => signJwt({ alg: 'RS256', kid: 'test' }, claims, createOtherKey())],
])('an ID token that is %s signs nobody in', async (_, change) => {
  await using t = await startAppWithProvider()
  await connectAccount(t)
  t.provider.rewrite = rewriteIdToken(change)
  const browser = new Browser(t.url)
  const { status, text } = await browser.submit('/sign-in/oidc')
  expect([status, alertIn(text)]).toEqual([502, expect.stringMatching(invalid)])
  expect(await organizerIn(browser)).toBe(undefined)
})
