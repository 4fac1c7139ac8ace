import { createHmac, createPublicKey } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { startOtherServer } from '../app.ts'
import { Browser } from './browser.ts'
import {
  clientSecret,
  createOtherKey,
  rewriteIdToken,
  rewriteMetadata,
  signAsProvider,
  signJwt,
  startProvider,
} from './identity-provider.ts'
import { connectAccount, eva, mo, organizerIn, startAppWithProvider, trustProvider } from './oidc.ts'
import { comeBack, goToCallback, invalid, notConnected, outcomeOf, refused, unknownLogin } from './oidc-outcomes.ts'
import { signInAsOrganizer } from './sessions.ts'

trustProvider()

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
    expect(outcomeOf(await browser.submit('/sign-in/oidc'))).toEqual(invalid)
    expect(await organizerIn(browser)).toBe(undefined)
  })

  test('an ID token that is unsigned, or signed with a key of anybody, even if the provider announces such signatures', async () => {
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
      expect(outcomeOf(await browser.submit('/sign-in/oidc'))).toEqual(invalid)
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
    expect(outcomeOf(await new Browser(other.url).submit('/sign-in/oidc'))).toEqual(notConnected)
    // A provider that claims to be the previous one.
    provider.rewrite = rewriteIdToken((claims) => signAsProvider({ ...claims, iss: t.provider.issuer }))
    expect(outcomeOf(await new Browser(other.url).submit('/sign-in/oidc'))).toEqual(invalid)
    provider.rewrite = rewriteMetadata({ issuer: t.provider.issuer })
    await using another = await startOtherServer(other)
    expect(outcomeOf(await new Browser(another.url).submit('/sign-in/oidc'))).toEqual(invalid)
  })

  test('the account of an organizer who was removed, even after they are invited again', async () => {
    await using t = await startAppWithProvider()
    await connectAccount(t)
    await signInAsOrganizer(t, mo, ['owner'])
    await t.owner.client.removeOrganizer({ organizer_id: 1 })
    expect(outcomeOf(await new Browser(t.url).submit('/sign-in/oidc'))).toEqual(notConnected)
    await t.owner.client.inviteOrganizer({ email: eva, roles: 'owner' })
    expect(outcomeOf(await new Browser(t.url).submit('/sign-in/oidc'))).toEqual(notConnected)
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
