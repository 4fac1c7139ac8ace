import { createHmac, createPublicKey } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { startOtherServer } from '../app.ts'
import { Browser } from './browser.ts'
import {
  clientSecret,
  createOtherKey,
  type Rewrite,
  rewriteIdToken,
  rewriteMetadata,
  signAsProvider,
  signJwt,
  startProvider,
} from './identity-provider.ts'
import {
  alertIn,
  browserOf,
  changesOf,
  connectAccount,
  eva,
  organizerIn,
  startAppWithProvider,
  trustProvider,
} from './oidc.ts'
import { signInAsOrganizer, signInAsParticipant } from './sessions.ts'

trustProvider()

const mo = 'mo@summit.example'
const callback = 'https://summit.example/sign-in/oidc/callback'

const unknownLogin = [400, expect.stringMatching(/was begun in another browser or tab\. Please begin again\.$/)]
const refused = [403, 'The identity provider did not sign you in.']
const unreachable = [503, expect.stringMatching(/^The identity provider cannot be reached at the moment\./)]
const invalid = [502, expect.stringMatching(/^The identity provider sent a response that is not valid/)]
const notConnected = [403, expect.stringMatching(/^This account does not belong to an organizer yet\./)]
const notSignedIn = [403, 'To connect an account, sign in as an organizer first, and begin on your own page.']
const ofAnother = [409, 'This account belongs to another organizer.']

const outcomeOf = ({ status, text }: { status: number; text: string }) => [status, alertIn(text)]

/** Begins in a browser, and stays before the callback. @returns the URL of the callback */
const goToCallback = async (browser: Browser, path = '/sign-in/oidc'): Promise<URL> =>
  new URL((await browser.visit(path, { until: callback })).url)

/** Goes to a URL of the callback, as the identity provider lets a browser do. */
const comeBack = async (browser: Browser, url: URL) => outcomeOf(await browser.visit(url.href, { from: 'other site' }))

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signs claims with a secret that several parties have. */
function signWithSecret(claims: object, secret: string): string {
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

describe('nobody is signed in by', () => {
  test.each<[string, (claims: object, idToken: string) => string]>([
    ['for another service', (claims) => signAsProvider({ ...claims, aud: 'other' })],
    ['for this and another service', (claims) => signAsProvider({ ...claims, aud: ['summit', 'other'], azp: 'other' })],
    ['of another provider', (claims) => signAsProvider({ ...claims, iss: 'https://other.example' })],
    ['of another login', (claims) => signAsProvider({ ...claims, nonce: 'other' })],
    ['of no login', (claims) => signAsProvider({ ...claims, nonce: undefined })],
    ['of yesterday', (claims) => signAsProvider({ ...claims, exp: Date.now() / 1000 - 86_400 })],
    ['without a subject', (claims) => signAsProvider({ ...claims, sub: undefined })],
    ['with a subject that is too long', (claims) => signAsProvider({ ...claims, sub: 'e'.repeat(256) })],
    ['with a subject that ends in a null character', (claims) => signAsProvider({ ...claims, sub: 'eva\0' })],
    ['signed with the secret of the client', (claims) => signWithSecret(claims, clientSecret)],
    [
      'changed after it was signed',
      (claims, idToken) => idToken.replace(/\.[^.]+\./, `.${encode({ ...claims, sub: 'eva' })}.`),
    ],
    ['not a token', () => 'eva'],
  ])('an ID token %s', async (_, change) => {
    await using t = await startAppWithProvider()
    await connectAccount(t)
    t.provider.account = 'mo'
    t.provider.rewrite = rewriteIdToken((claims, idToken) => change({ ...claims, sub: 'eva' }, idToken))
    const browser = new Browser(t.url)
    expect(outcomeOf(await browser.visit('/sign-in/oidc'))).toEqual(invalid)
    expect(await organizerIn(browser)).toBe(undefined)
  })

  test('an ID token that is not signed, or with a key of anybody, where the provider says it signs like that', async () => {
    await using t = await startAppWithProvider()
    await connectAccount(t)
    const metadata = rewriteMetadata({ id_token_signing_alg_values_supported: ['none', 'HS256', 'RS256'] })
    const keys = [
      (claims: object) => signJwt({ alg: 'none' }, claims),
      (claims: object) => signWithSecret(claims, clientSecret),
      (claims: object) => {
        const key = createOtherKey()
        return signJwt({ alg: 'RS256', jwk: createPublicKey(key).export({ format: 'jwk' }) }, claims, key)
      },
    ]
    for (const sign of keys) {
      await using other = await startOtherServer(t)
      const token = rewriteIdToken(sign)
      t.provider.rewrite = async (path, response) => token(path, await metadata(path, response))
      const browser = new Browser(other.url)
      expect(outcomeOf(await browser.visit('/sign-in/oidc'))).toEqual(invalid)
      expect(await organizerIn(browser)).toBe(undefined)
    }
  })

  test.each<[string, (url: URL) => void, unknown[]]>([
    ['another state', ({ searchParams }) => searchParams.set('state', 'other'), unknownLogin],
    ['no state', ({ searchParams }) => searchParams.delete('state'), unknownLogin],
    ['a second state', ({ searchParams }) => searchParams.append('state', 'other'), invalid],
    [
      'the name of another provider (RFC 9207)',
      ({ searchParams }) => searchParams.set('iss', 'https://other.example'),
      invalid,
    ],
    ['no name of a provider (RFC 9207)', ({ searchParams }) => searchParams.delete('iss'), invalid],
    ['another code', ({ searchParams }) => searchParams.set('code', 'other'), refused],
    ['no code', ({ searchParams }) => searchParams.delete('code'), invalid],
    ['an error', ({ searchParams }) => searchParams.set('error', 'access_denied'), refused],
    ['an ID token', ({ searchParams }) => searchParams.set('id_token', signAsProvider({ sub: 'eva' })), invalid],
  ])('a callback with %s', async (_, change, outcome) => {
    await using t = await startAppWithProvider()
    await connectAccount(t)
    const browser = new Browser(t.url)
    const url = await goToCallback(browser)
    change(url)
    expect(await comeBack(browser, url)).toEqual(outcome)
    expect(await organizerIn(browser)).toBe(undefined)
  })

  test('a code that was used, even in the browser of its login', async () => {
    await using t = await startAppWithProvider()
    await connectAccount(t)
    const browser = new Browser(t.url)
    const url = await goToCallback(browser)
    const login = browser.cookie('__Host-summit-login') ?? ''
    await browser.visit(url.href, { from: 'other site' })
    expect(await organizerIn(browser)).toBe(eva)
    expect(await comeBack(browser, url)).toEqual(unknownLogin)
    const other = new Browser(t.url)
    expect(await comeBack(other, url)).toEqual(unknownLogin)
    other.setCookie('__Host-summit-login', login)
    expect(await comeBack(other, url)).toEqual(refused)
    expect(await organizerIn(other)).toBe(undefined)
  })

  test('the code of another login, which was made for another code verifier', async () => {
    await using t = await startAppWithProvider()
    await connectAccount(t)
    const [victim, attacker] = [new Browser(t.url), new Browser(t.url)]
    const url = await goToCallback(attacker)
    url.searchParams.set('code', (await goToCallback(victim)).searchParams.get('code') ?? '')
    expect(await comeBack(attacker, url)).toEqual(refused)
    expect(await organizerIn(attacker)).toBe(undefined)
  })

  test('an account with the same subject at another provider', async () => {
    await using t = await startAppWithProvider()
    await connectAccount(t)
    await using provider = await startProvider()
    await using other = await startOtherServer(t, {
      oidc: { issuer: provider.issuer, clientId: 'summit', clientSecret },
    })
    expect(outcomeOf(await new Browser(other.url).visit('/sign-in/oidc'))).toEqual(notConnected)
    // A provider that pretends to be the one before.
    provider.rewrite = rewriteIdToken((claims) => signAsProvider({ ...claims, iss: t.provider.issuer }))
    expect(outcomeOf(await new Browser(other.url).visit('/sign-in/oidc'))).toEqual(invalid)
    provider.rewrite = rewriteMetadata({ issuer: t.provider.issuer })
    await using another = await startOtherServer(other)
    expect(outcomeOf(await new Browser(another.url).visit('/sign-in/oidc'))).toEqual(invalid)
  })

  test('the account of an organizer who was removed, nor if they are invited again', async () => {
    await using t = await startAppWithProvider()
    await connectAccount(t)
    await signInAsOrganizer(t, mo, ['owner'])
    await t.owner.client.removeOrganizer({ organizer_id: 1 })
    expect(outcomeOf(await new Browser(t.url).visit('/sign-in/oidc'))).toEqual(notConnected)
    await t.owner.client.inviteOrganizer({ email: eva, roles: 'owner' })
    expect(outcomeOf(await new Browser(t.url).visit('/sign-in/oidc'))).toEqual(notConnected)
  })

  test('a HEAD request, which leaves the code to the browser', async () => {
    await using t = await startAppWithProvider()
    await connectAccount(t)
    const browser = new Browser(t.url)
    const { pathname, search, href } = await goToCallback(browser)
    const cookie = `__Host-summit-login=${browser.cookie('__Host-summit-login')}`
    const { status } = await fetch(t.url + pathname + search, { method: 'HEAD', headers: { cookie } })
    expect(status).toBe(404)
    await browser.visit(href, { from: 'other site' })
    expect(await organizerIn(browser)).toBe(eva)
  })
})

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
    await browser.visit('/sign-in/oidc')
    expect(browser.cookie('__Host-summit')).not.toBe(before)
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
    const { headers } = await fetch(`${t.url}/sign-in/oidc`, { redirect: 'manual' })
    expect(headers.get('set-cookie')).toMatch(
      /^__Host-summit-login=smt_[\w-]{43}\.\d{13}\.[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/,
    )
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer'])
  })

  test('authenticates the service as the provider wants it', async () => {
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
    expect(outcomeOf(await visitor.visit('/sign-in/oidc/connect'))).toEqual(notSignedIn)
    const { setCookie } = await signInAsParticipant(t, t.ana.participant)
    visitor.setCookie('__Host-summit', setCookie.split(/[=;]/)[1] ?? '')
    expect(outcomeOf(await visitor.visit('/sign-in/oidc/connect'))).toEqual(notSignedIn)
    const organizer = await browserOf(t, eva)
    for (const from of ['other site', 'address bar'] as const)
      expect(outcomeOf(await organizer.visit('/sign-in/oidc/connect', { from }))).toEqual(notSignedIn)
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
    expect(outcomeOf(await browser.visit('/sign-in/oidc/connect'))).toEqual(ofAnother)
    expect((await browser.client.getMe({})).me.identity).toBe(null)
    expect(await changesOf(t, 'organizer.connected')).toEqual([1])
  })

  test('for the callback of an attacker, even in a browser that is connecting one', async () => {
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
    expect(outcomeOf(await new Browser(t.url).visit('/sign-in/oidc'))).toEqual(notConnected)
  })

  test('by a login to sign in, in the browser of an organizer', async () => {
    await using t = await startAppWithProvider()
    await connectAccount(t)
    const browser = await browserOf(t, mo)
    t.provider.account = 'attacker'
    expect(await comeBack(browser, await goToCallback(browser))).toEqual(notConnected)
    expect(await changesOf(t, 'organizer.connected')).toEqual([1])
  })
})

test('another account takes the place of the one that an organizer has connected', async () => {
  await using t = await startAppWithProvider()
  const browser = await connectAccount(t)
  const provided = t.provider
  provided.account = 'eva-at-work'
  const other = new Browser(t.url)
  other.setCookie('__Host-summit', browser.cookie('__Host-summit') ?? '', true)
  await other.visit('/sign-in/oidc/connect')
  expect(await changesOf(t, 'organizer.connected')).toEqual([1, 1])
  const again = new Browser(t.url)
  await again.visit('/sign-in/oidc')
  expect(await organizerIn(again)).toBe(eva)
  provided.account = 'eva'
  expect(outcomeOf(await new Browser(t.url).visit('/sign-in/oidc'))).toEqual(notConnected)
})

describe('a provider that', () => {
  test.each([
    ['token_endpoint', '/token'],
    ['jwks_uri', '/jwks'],
  ])('names another server of this network as its %s gets no request there', async (name, path) => {
    await using t = await startAppWithProvider()
    await using inner = await startProvider()
    const { port } = new URL(inner.issuer)
    for (const origin of [
      inner.issuer,
      `https://127.0.0.1:${port}`,
      `https://[::ffff:127.0.0.1]:${port}`,
      'https://169.254.169.254',
      'http://127.0.0.1:80',
    ]) {
      await using other = await startOtherServer(t)
      t.provider.rewrite = rewriteMetadata({ [name]: origin + path })
      const [status, sentence] = outcomeOf(await new Browser(other.url).visit('/sign-in/oidc'))
      expect([unreachable, invalid]).toContainEqual([status, sentence])
    }
    expect(inner.requests).toEqual([])
  })

  test.each([
    { authorization_endpoint: 'http://login.example/auth' },
    { authorization_endpoint: 'javascript:alert(1)' },
    { authorization_endpoint: undefined },
    { issuer: 'https://other.example' },
    { issuer: undefined },
  ])('says %j is not used', async (metadata) => {
    await using t = await startAppWithProvider()
    t.provider.rewrite = rewriteMetadata(metadata)
    const { status, headers, text } = await new Browser(t.url).visit('/sign-in/oidc')
    expect([status, alertIn(text)]).toEqual(invalid)
    expect([headers.get('location'), headers.get('set-cookie')]).toEqual([null, null])
  })

  test.each<[string, (respond: Parameters<Rewrite>[1]) => ReturnType<Rewrite>, unknown[]]>([
    ['fails', (response) => ({ ...response, status: 500 }), invalid],
    [
      'redirects',
      (response) => ({ ...response, status: 302, headers: { location: 'http://127.0.0.1/' } }),
      unreachable,
    ],
    ['sends no JSON', (response) => ({ ...response, body: '<html>' }), invalid],
    ['sends too much', (response) => ({ ...response, body: ' '.repeat(1_000_000) }), unreachable],
    ['does not respond', () => new Promise(() => {}), unreachable],
  ])('%s is reported, and used again once it works', async (_, rewrite, outcome) => {
    await using t = await startAppWithProvider()
    const { provider } = t
    const works = provider.rewrite
    provider.rewrite = (path, response) => (path.startsWith('/.well-known/') ? rewrite(response) : response)
    const browser = await browserOf(t, eva)
    expect(outcomeOf(await browser.visit('/sign-in/oidc/connect'))).toEqual(outcome)
    provider.rewrite = (path, response) => (path === '/token' ? rewrite(response) : response)
    expect(outcomeOf(await browser.visit('/sign-in/oidc/connect'))).toEqual(outcome)
    provider.rewrite = works
    await browser.visit('/sign-in/oidc/connect')
    expect((await browser.client.getMe({})).me.identity).not.toBe(null)
  })

  test('is slow is waited for once by a login, and by 4 of a network that trusted proxies name', async () => {
    await using t = await startAppWithProvider({}, { TRUSTED_PROXIES: '127.0.0.1' })
    await connectAccount(t)
    const released = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    let count = 0
    t.provider.rewrite = async (path, response) => {
      if (path !== '/token') return response
      if (++count === 5) arrived.resolve()
      await released.promise
      return response
    }
    const logins = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const browser = new Browser(t.url)
        const { search } = await goToCallback(browser)
        return { search, cookie: `__Host-summit-login=${browser.cookie('__Host-summit-login')}` }
      }),
    )
    const callBack = async (nth: number, address: string) => {
      const { search, cookie } = logins[nth] ?? { search: '', cookie: '' }
      const headers = { cookie, 'x-forwarded-for': address }
      return (await fetch(`${t.url}/sign-in/oidc/callback${search}`, { headers })).status
    }
    const waiting = [0, 1, 2, 3].map((nth) => callBack(nth, '203.0.113.7'))
    waiting.push(callBack(4, '198.51.100.1'))
    await arrived.promise
    expect(await callBack(4, '192.0.2.1')).toBe(503)
    expect(await callBack(5, '203.0.113.7')).toBe(503)
    released.resolve()
    expect(await Promise.all(waiting)).toEqual([200, 200, 200, 200, 200])
    expect(await callBack(5, '203.0.113.7')).toBe(200)
  })

  test('is slow is waited for by 16 browsers at most', async () => {
    await using t = await startAppWithProvider()
    await connectAccount(t)
    const released = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    let count = 0
    t.provider.rewrite = async (path, response) => {
      if (path !== '/token') return response
      if (++count === 16) arrived.resolve()
      await released.promise
      return response
    }
    const browsers = Array.from({ length: 17 }, () => new Browser(t.url))
    const urls = await Promise.all(browsers.map((browser) => goToCallback(browser)))
    const [last, ...others] = browsers.map((browser, nth) => () => browser.visit(urls[nth]?.href ?? ''))
    const waiting = others.map((go) => go())
    await arrived.promise
    expect(outcomeOf((await last?.()) ?? { status: 0, text: '' })).toEqual([503, expect.stringContaining('Too many')])
    released.resolve()
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]))
    expect((await last?.())?.status).toBe(200)
  })
})
