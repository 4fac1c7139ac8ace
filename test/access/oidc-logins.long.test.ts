import { describe, expect, test } from 'vitest'
import { startOtherServer } from '../app.ts'
import { Browser } from './browser.ts'
import { rewriteMetadata } from './identity-provider.ts'
import {
  browserOf,
  changesOf,
  connectAccount,
  eva,
  mo,
  organizerIn,
  startAppWithProvider,
  trustProvider,
} from './oidc.ts'
import {
  comeBack,
  goToCallback,
  notConnected,
  notOwnPage,
  notSignedIn,
  ofAnother,
  outcomeOf,
  unknownLogin,
} from './oidc-outcomes.ts'
import { ownPage, signInAsParticipant } from './sessions.ts'

trustProvider()

describe('a login', () => {
  test('goes on at another server, and starts a new session', async () => {
    await using t = await startAppWithProvider()
    await using other = await startOtherServer(t)
    await connectAccount(t)
    const browser = new Browser(t.url)
    const url = await goToCallback(browser)
    browser.server = other.url
    await browser.visit(url.href, { from: 'other site' })
    expect(await organizerIn(browser)).toBe(eva)
    const before = browser.cookie('__Host-summit')
    await browser.submit('/sign-in/oidc')
    expect(browser.cookie('__Host-summit')).not.toBe(before)
  })

  test.each([
    ['/sign-in/oidc?next=%2Fpeople%3Fq%3Dana', '/people?q=ana'],
    ['/sign-in/oidc?next=%2F%2Fevil.example', '/console'],
    ['/sign-in/oidc', '/console'],
  ])('that begins at %s leads to %s', async (path, next) => {
    await using t = await startAppWithProvider()
    await connectAccount(t)
    const browser = new Browser(t.url)
    const url = await goToCallback(browser, path)
    const { url: reached } = await browser.visit(url.href, { from: 'other site' })
    expect(reached).toBe(`https://summit.example${next}`)
  })

  test('of a second tab replaces that of the first, in any order', async () => {
    await using t = await startAppWithProvider()
    await connectAccount(t)
    const browser = new Browser(t.url)
    const [first, second] = [await goToCallback(browser), await goToCallback(browser)]
    expect(await comeBack(browser, first)).toEqual(unknownLogin)
    await browser.visit(second.href, { from: 'other site' })
    expect(await organizerIn(browser)).toBe(eva)
    expect(await comeBack(browser, first)).toEqual(unknownLogin)
    expect(await organizerIn(browser)).toBe(eva)
  })

  test.each(['', 'x', `smt_${'A'.repeat(43)}`, `smt_${'A'.repeat(43)}.other`])(
    'whose cookie is %j is unknown',
    async (cookie) => {
      await using t = await startAppWithProvider()
      const browser = new Browser(t.url)
      const url = await goToCallback(browser)
      browser.setCookie('__Host-summit-login', cookie)
      expect(await comeBack(browser, url)).toEqual(unknownLogin)
      expect(t.provider.requests).not.toContain('/token')
    },
  )

  test('has a cookie that lasts 10 minutes and goes to no other host', async () => {
    await using t = await startAppWithProvider()
    const { headers } = await fetch(`${t.url}/sign-in/oidc`, { method: 'POST', headers: ownPage })
    expect(headers.get('set-cookie')).toMatch(
      /^__Host-summit-login=0\.0\.\.smt_[\w-]{43}\.\d{13}\.[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/,
    )
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['private, no-store', 'no-referrer'])
  })

  test('authenticates Summit by a method that the provider supports', async () => {
    await using basic = await startAppWithProvider()
    await connectAccount(basic)
    expect(basic.provider.tokenRequests).toEqual([
      { authorization: expect.stringMatching(/^Basic /), body: expect.not.stringContaining('client_secret') },
    ])
    await using post = await startAppWithProvider({ token_endpoint_auth_method: 'client_secret_post' })
    post.provider.rewrite = rewriteMetadata({ token_endpoint_auth_methods_supported: ['client_secret_post'] })
    const browser = await connectAccount(post)
    expect(post.provider.tokenRequests).toEqual([
      { authorization: undefined, body: expect.stringContaining('client_secret=') },
    ])
    expect((await browser.client.getMe({})).me.identity).not.toBe(null)
  })
})

describe('an account is not connected', () => {
  test('for somebody who is not signed in as an organizer, or comes from elsewhere', async () => {
    await using t = await startAppWithProvider()
    const visitor = new Browser(t.url)
    expect(outcomeOf(await visitor.submit('/sign-in/oidc/connect'))).toEqual(notSignedIn)
    const { setCookie } = await signInAsParticipant(t, t.ana.participant)
    visitor.setCookie('__Host-summit', setCookie.split(/[=;]/)[1] ?? '')
    expect(outcomeOf(await visitor.submit('/sign-in/oidc/connect'))).toEqual(notSignedIn)
    const organizer = await browserOf(t, eva)
    for (const from of ['other site', 'address bar'] as const)
      expect(outcomeOf(await organizer.submit('/sign-in/oidc/connect', { from }))).toEqual(notOwnPage)
    expect(t.provider.requests).toEqual([])
  })

  test('once the session has ended', async () => {
    await using t = await startAppWithProvider()
    const browser = await browserOf(t, eva)
    const url = await goToCallback(browser, '/sign-in/oidc/connect')
    await browser.client.signOut({})
    expect(await comeBack(browser, url)).toEqual(notSignedIn)
    expect(await changesOf(t, 'organizer.connected')).toEqual([])
    expect(t.provider.requests).not.toContain('/token')
  })

  test('if the session ends while the provider responds', async () => {
    await using t = await startAppWithProvider()
    const browser = await browserOf(t, eva)
    const url = await goToCallback(browser, '/sign-in/oidc/connect')
    t.provider.rewrite = async (path, response) => {
      if (path === '/token') await browser.client.signOut({})
      return response
    }
    expect(await comeBack(browser, url)).toEqual([401, 'The key is missing, unknown or revoked.'])
    expect(await changesOf(t, 'organizer.connected')).toEqual([])
  })

  test('if it is that of another organizer', async () => {
    await using t = await startAppWithProvider()
    await connectAccount(t)
    const browser = await browserOf(t, mo)
    expect(outcomeOf(await browser.submit('/sign-in/oidc/connect'))).toEqual(ofAnother)
    expect((await browser.client.getMe({})).me.identity).toBe(null)
    expect(await changesOf(t, 'organizer.connected')).toEqual([1])
  })

  test('by a callback that an attacker began, even in a browser that is connecting an account', async () => {
    await using t = await startAppWithProvider()
    const victim = await browserOf(t, eva)
    t.provider.account = 'attacker'
    const forged = await goToCallback(await browserOf(t, mo), '/sign-in/oidc/connect')
    expect(await comeBack(victim, forged)).toEqual(unknownLogin)
    t.provider.account = 'eva'
    const url = await goToCallback(victim, '/sign-in/oidc/connect')
    expect(await comeBack(victim, forged)).toEqual(unknownLogin)
    await victim.visit(url.href, { from: 'other site' })
    t.provider.account = 'attacker'
    expect(outcomeOf(await new Browser(t.url).submit('/sign-in/oidc'))).toEqual(notConnected)
  })

  test('by signing in with it in the browser of an organizer', async () => {
    await using t = await startAppWithProvider()
    await connectAccount(t)
    const browser = await browserOf(t, mo)
    t.provider.account = 'attacker'
    expect(await comeBack(browser, await goToCallback(browser))).toEqual(notConnected)
    expect(await changesOf(t, 'organizer.connected')).toEqual([1])
  })
})
