import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { startTestApp } from '../app.ts'
import * as make from '../make.ts'
import { publicUrl } from './app-with-keys.ts'
import { Browser } from './browser.ts'
import { rewriteIdToken, signAsProvider } from './identity-provider.ts'
import {
  alertIn,
  browserOf,
  changesOf,
  connectAccount,
  eva,
  mo,
  notConnected,
  organizerIn,
  startAppWithProvider,
  trustProvider,
} from './oidc.ts'
import { anotherConnected, comeBack, goToCallback, outcomeOf, signedInAsAnother } from './oidc-outcomes.ts'

trustProvider()

test('a callback for a login that was not begun here, or that has ended, causes no request to the provider', async () => {
  await using t = await startAppWithProvider()
  const callBack = async (cookie: string, state: string) => {
    const path = `/sign-in/oidc/callback?${new URLSearchParams({ code: 'x', state, iss: t.provider.issuer })}&reloaded`
    const response = await fetch(t.url + path, { headers: { cookie: `__Host-summit-login=${cookie}` } })
    return [response.status, alertIn(await response.text())]
  }
  const own = `smt_${'A'.repeat(43)}`
  const stateOf = (secret: string) => createHmac('sha256', secret).update('state').digest('base64url')
  const browser = new Browser(t.url)
  await browser.submit('/sign-in/oidc', { until: `${t.provider.issuer}/` })
  const [organizer, session, next, secret = '', expiresAt = '', signature = ''] =
    browser.cookie('__Host-summit-login')?.split('.') ?? []
  type Values = { secret: string; expiresAt: string | number } & Partial<
    Record<'organizer' | 'session' | 'next', string>
  >
  const cookieOf = (values: Values) =>
    Object.values({ organizer, session, next, ...{ secret: '', expiresAt: '' }, ...values, signature }).join('.')
  const unknown = [400, expect.stringMatching(/^This sign-in took longer than 10 minutes/)]
  for (const cookie of [own, `0.0..${own}`, cookieOf({ secret: own, expiresAt })])
    expect(await callBack(cookie, stateOf(own)), cookie).toEqual(unknown)
  for (const change of [{ expiresAt: Number(expiresAt) + 1 }, { organizer: '1' }, { session: '1' }, { next: 'L3g' }])
    expect(await callBack(cookieOf({ secret, expiresAt, ...change }), stateOf(secret))).toEqual(unknown)
  const valid = cookieOf({ secret, expiresAt })
  expect(await callBack(valid, stateOf(secret))).toEqual([403, 'The identity provider did not sign you in.'])
  const { length } = t.provider.requests
  t.advance(10 * 60_000)
  expect(await callBack(valid, stateOf(secret))).toEqual(unknown)
  expect(t.provider.requests).toHaveLength(length)
  expect(t.provider.tokenRequests).toHaveLength(1)
})

test('a connection that one organizer began is refused once another has signed in in the same browser', async () => {
  await using t = await startAppWithProvider()
  const browser = await browserOf(t, mo)
  const url = await goToCallback(browser, '/sign-in/oidc/connect')
  const other = await browserOf(t, eva)
  browser.setCookie('__Host-summit', other.cookie('__Host-summit') ?? '', true)
  expect(await comeBack(browser, url)).toEqual(signedInAsAnother)
  expect(await organizerIn(browser)).toBe(eva)
  expect(await changesOf(t, 'organizer.connected')).toEqual([])
  expect(t.provider.requests).not.toContain('/token')
})

test('a connection is refused if the session ends while the provider confirms the account', async () => {
  await using t = await startAppWithProvider()
  const browser = await browserOf(t, eva)
  const url = await goToCallback(browser, '/sign-in/oidc/connect')
  const other = new Browser(t.url)
  other.setCookie('__Host-summit', browser.cookie('__Host-summit') ?? '', true)
  t.provider.rewrite = async (path, response) => {
    if (path === '/token') await other.client.signOut({})
    return response
  }
  expect((await comeBack(browser, url))[0]).toBe(401)
  expect(t.provider.requests).toContain('/token')
  expect(await changesOf(t, 'organizer.connected')).toEqual([])
})

test('an organizer who has connected an account connects another only after disconnecting it', async () => {
  await using t = await startAppWithProvider()
  const browser = await connectAccount(t)
  const other = new Browser(t.url)
  other.setCookie('__Host-summit', browser.cookie('__Host-summit') ?? '', true)
  t.provider.account = 'eva-at-work'
  expect(outcomeOf(await other.submit('/sign-in/oidc/connect'))).toEqual(anotherConnected)
  expect((await other.client.getMe({})).me.identity?.subject).toBe('eva')
  await other.client.disconnectIdentity({})
  await other.submit('/sign-in/oidc/connect')
  expect((await other.client.getMe({})).me.identity?.subject).toBe('eva-at-work')
})

test.each<[string, object, string, string]>([
  ['its e-mail address', { email: '<b>eva</b>@summit.example' }, '&#60;b&#62;eva&#60;/b&#62;@summit.example', 'eva'],
  ['the name of the user', { email: undefined, preferred_username: 'eva.h', name: 'Eva' }, 'eva.h', 'eva'],
  [
    'its subject, shortened, if a name could mislead',
    { email: '\u202egro@x', sub: 's'.repeat(255) },
    's'.repeat(32),
    '',
  ],
])('the page /me names the connected account by %s', async (_, claims, name, subject) => {
  await using t = await startAppWithProvider()
  t.provider.rewrite = rewriteIdToken((given) => signAsProvider({ ...given, ...claims }))
  const { text } = await (await connectAccount(t)).visit('/me')
  expect(text).toContain(`<p class="name">${name}${subject ? '' : '…'}</p>`)
  expect(text).toContain(
    `<p class="hint">${subject && `${subject} `}at ${t.provider.issuer}</p>\n<p class="hint times"><span>Connected 2030-05-01 09:00</span>`,
  )
})

describe('the session in which somebody signs in with an account', () => {
  test('ends, although the browser does not send its cookie when it comes back', async () => {
    await using t = await startAppWithProvider()
    await connectAccount(t)
    const browser = await browserOf(t, mo)
    const { client } = browser
    await browser.submit('/sign-in/oidc')
    expect(await organizerIn(browser)).toBe(eva)
    expect(await make.codeOf(client.call('getMe', {}))).toBe(4010)
  })

  test('ends, also if it began while they were at the provider', async () => {
    await using t = await startAppWithProvider()
    await connectAccount(t)
    const browser = new Browser(t.url)
    const url = await goToCallback(browser)
    const otherTab = await browserOf(t, mo)
    browser.setCookie('__Host-summit', otherTab.cookie('__Host-summit') ?? '', true)
    await browser.visit(url.href, { from: 'other site' })
    expect(await organizerIn(browser)).toBe(eva)
    expect(await make.codeOf(otherTab.client.call('getMe', {}))).toBe(4010)
  })

  test('stays if nobody is signed in with it', async () => {
    await using t = await startAppWithProvider()
    const browser = await browserOf(t, mo)
    expect(alertIn((await browser.submit('/sign-in/oidc')).text)).toMatch(notConnected)
    expect(await organizerIn(browser)).toBe(mo)
  })
})

test('a connection ends after one more request in a browser that says nothing about itself and has no session', async () => {
  await using t = await startAppWithProvider()
  const browser = await browserOf(t, eva)
  const { pathname, search, href } = await goToCallback(browser, '/sign-in/oidc/connect')
  const headers = { cookie: `__Host-summit-login=${browser.cookie('__Host-summit-login')}` }
  const first = await fetch(t.url + pathname + search, { headers })
  const next = new URL(/url=(.*)/.exec(first.headers.get('refresh') ?? '')?.[1] ?? '', href)
  const second = await fetch(t.url + next.pathname + next.search, { headers })
  expect([second.status, second.headers.get('refresh')]).toEqual([403, null])
})

test('an account whose e-mail address is that of an organizer is nobody until it is connected', async () => {
  await using t = await startAppWithProvider()
  await t.owner.client.inviteOrganizer({ email: eva, roles: 'owner' })
  const browser = new Browser(t.url)
  const { status, text } = await browser.submit('/sign-in/oidc')
  expect([status, alertIn(text)]).toEqual([403, expect.stringMatching(notConnected)])
  expect(browser.cookie('__Host-summit')).toBe(undefined)
})

test.each(['members', 'open'])(
  'without a provider there is no sign-in with accounts, with ACCESS=%s',
  async (ACCESS) => {
    await using t = await startTestApp({ ACCESS, PUBLIC_URL: publicUrl })
    for (const path of ['', '/connect', '/callback'])
      expect((await fetch(`${t.url}/sign-in/oidc${path}`)).status).toBe(404)
  },
)

test('where ACCESS is open, an organizer signs in with a connected account, too', async () => {
  await using t = await startAppWithProvider({}, { ACCESS: 'open' })
  await connectAccount(t)
  const browser = new Browser(t.url)
  expect((await browser.submit('/sign-in/oidc')).url).toBe(`${publicUrl}/console`)
  expect(await organizerIn(browser)).toBe(eva)
  const foreign = await fetch(`${t.url}/sign-in/oidc`, { method: 'POST', headers: { origin: 'https://evil.example' } })
  expect([foreign.status, foreign.headers.get('set-cookie')]).toEqual([403, null])
})
