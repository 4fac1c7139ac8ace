import { expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { startRecordedServer } from '../../src/server/lifecycle/recorded-server.fixtures.ts'
import { createTestStorage } from '../app.ts'
import { startMailServer } from '../mail-server.ts'
import * as make from '../make.ts'
import { App, bearer, clientWith, signIn, tokenIn } from './app-sessions.fixtures.ts'
import { publicUrl } from './app-with-keys.ts'
import { anasAddress, askAs, CodeBrowser, codeIn, mailSettings, mailsOf, setLogin, startAppWithMail } from './codes.ts'
import { appOrigin } from './origins.ts'
import { expectAbsent, writtenBy } from './secrets.ts'

// An app without a browser signs in with a code, and gets the secret of its session in the response.

test('an app signs in with a code, reads, writes and signs out, without a cookie of a session', async () => {
  await using t = await startAppWithMail()
  const app = new App(t)
  const code = await askAs(t, app)
  const redeemed = await app.redeemForToken(code)
  expect(redeemed).toMatchObject({ code: 1000 })
  expect(redeemed.headers.getSetCookie()).toEqual([])
  expect(redeemed.headers.get('cache-control')).toBe('private, no-store')
  const client = clientWith(t, tokenIn(redeemed))
  expect((await client.getMe({})).me.participant).toMatchObject({ id: String(t.ana.participant) })
  const { NewsFeed } = await client.createTopic({ name: 'On my way', created_by: t.ana.participant })
  expect(make.only(NewsFeed).author.id).toBe(String(t.ana.participant))
  const signedOut = await client.call('signOut', {})
  expect([signedOut.envelope.response_code, signedOut.headers.getSetCookie()]).toEqual([1000, []])
  for (const name of ['getMe', 'signOut'] as const) expect(await make.codeOf(client.call(name, {}))).toBe(4010)
})

test('without asking for it, nobody gets the secret in the response', async () => {
  await using t = await startAppWithMail()
  for (const body of [{}, { bearer: false }, { bearer: null }]) {
    const browser = new CodeBrowser(t)
    const code = await askAs(t, browser)
    const { text, headers } = await browser.post('/api/sign-in/code/redeem', { code, ...body })
    expect(text).not.toMatch(/token|smt_/)
    expect(headers.getSetCookie()).toHaveLength(1)
  }
  const { text } = await new CodeBrowser(t).post('/api/sign-in/code/redeem', { code: '1', bearer: 'maybe' })
  expect(text).toContain('NOT_A_BOOLEAN')
})

test('a page of CORS_ORIGINS writes and signs out with the secret, and one of another origin does not', async () => {
  await using t = await startAppWithMail({ CORS_ORIGINS: appOrigin })
  const token = await signIn(t)
  const post = async (path: string, origin: string) => {
    const headers = { ...bearer(token), origin, 'sec-fetch-site': 'cross-site' }
    return (await make.send(t, 'POST', path, JSON.stringify({ name: 'On my way' }), headers)).response_code
  }
  for (const path of ['/api/newsfeeds/topics/create', '/api/me/sign-out'])
    expect([await post(path, 'https://evil.example'), await post(path, appOrigin)]).toEqual([4030, 1000])
})

test('the secret is in no row, file, log line or metric', async () => {
  await using storage = await createTestStorage()
  await using mail = await startMailServer()
  const access = { ACCESS: 'members', PUBLIC_URL: publicUrl, LOG_LEVEL: 'debug', ...mailSettings(mail) }
  await using server = await startRecordedServer({ ...storage.settings, ...access })
  const { ctx } = server.serving
  const created_by = await make.participant({ ctx })
  await setLogin({ ctx }, created_by as never, anasAddress)
  const app = new App(server, { 'idempotency-key': 'once' })
  await app.ask(anasAddress)
  const code = codeIn(make.only(await mailsOf(mail, 1)))
  const secrets = [tokenIn(await app.redeemForToken(code)), tokenIn(await app.redeemForToken(code))]
  const [, token = ''] = secrets
  const headers = { ...bearer(token), 'idempotency-key': 'topic' }
  const client = createClient(server.url, { headers })
  await client.createTopic({ name: 'x', created_by })
  await client.listCredentials({})
  for (const path of [`/api/me?access_token=${token}`, `/k/${token}/api/me`]) await fetch(server.url + path)
  await client.signOut({})
  await client.call('getMe', {})
  const written = await writtenBy(server, storage)
  expect(written.log).toContainEqual(expect.objectContaining({ operation: 'signOut', credential: 2 }))
  expectAbsent(secrets, written)
})
