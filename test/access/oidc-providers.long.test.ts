import { describe, expect, test } from 'vitest'
import { startOtherServer } from '../app.ts'
import { Browser } from './browser.ts'
import { type Rewrite, rewriteMetadata, startProvider, type TestProvider } from './identity-provider.ts'
import { alertIn, browserOf, connectAccount, eva, startAppWithProvider, trustProvider } from './oidc.ts'
import { goToCallback, invalid, outcomeOf, unreachable } from './oidc-outcomes.ts'

trustProvider()

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
      const [status, sentence] = outcomeOf(await new Browser(other.url).submit('/sign-in/oidc'))
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
    const { status, headers, text } = await new Browser(t.url).submit('/sign-in/oidc')
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
    expect(outcomeOf(await browser.submit('/sign-in/oidc/connect'))).toEqual(outcome)
    provider.rewrite = (path, response) => (path === '/token' ? rewrite(response) : response)
    expect(outcomeOf(await browser.submit('/sign-in/oidc/connect'))).toEqual(outcome)
    provider.rewrite = works
    await browser.submit('/sign-in/oidc/connect')
    expect((await browser.client.getMe({})).me.identity).not.toBe(null)
  })

  test('is slow is waited for by one callback of each login, and by 4 of each network that trusted proxies identify', async () => {
    await using t = await startAppWithProvider({}, { TRUSTED_PROXIES: '127.0.0.1' })
    await connectAccount(t)
    const { arrived, release } = holdTokens(t.provider, 5)
    const logins = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const browser = new Browser(t.url)
        const { search } = await goToCallback(browser)
        return { search: `${search}&reloaded`, cookie: `__Host-summit-login=${browser.cookie('__Host-summit-login')}` }
      }),
    )
    const callBack = async (nth: number, address: string) => {
      const { search, cookie } = logins[nth] ?? { search: '', cookie: '' }
      const headers = { cookie, 'x-forwarded-for': address }
      return (await fetch(`${t.url}/sign-in/oidc/callback${search}`, { headers })).status
    }
    const waiting = [0, 1, 2, 3].map((nth) => callBack(nth, '203.0.113.7'))
    waiting.push(callBack(4, '198.51.100.1'))
    await arrived
    expect(await callBack(4, '192.0.2.1')).toBe(503)
    expect(await callBack(5, '203.0.113.7')).toBe(503)
    release()
    expect(await Promise.all(waiting)).toEqual([200, 200, 200, 200, 200])
    expect(await callBack(5, '203.0.113.7')).toBe(200)
  })

  test('is slow is waited for by 16 browsers at most', async () => {
    await using t = await startAppWithProvider()
    await connectAccount(t)
    const { arrived, release } = holdTokens(t.provider, 16)
    const browsers = Array.from({ length: 17 }, () => new Browser(t.url))
    const urls = await Promise.all(browsers.map((browser) => goToCallback(browser)))
    const [last, ...others] = browsers.map((browser, nth) => () => browser.visit(urls[nth]?.href ?? ''))
    const waiting = others.map((go) => go())
    await arrived
    expect(outcomeOf((await last?.()) ?? { status: 0, text: '' })).toEqual([503, expect.stringContaining('Too many')])
    release()
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]))
    expect((await last?.())?.status).toBe(200)
  })
})

/** Holds the responses of the token endpoint until `release`. @param count of requests after which `arrived` resolves */
function holdTokens(provider: TestProvider, count: number): { arrived: Promise<void>; release: () => void } {
  const released = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  let requests = 0
  provider.rewrite = async (path, response) => {
    if (path !== '/token') return response
    requests += 1
    if (requests === count) arrived.resolve()
    await released.promise
    return response
  }
  return { arrived: arrived.promise, release: released.resolve }
}
