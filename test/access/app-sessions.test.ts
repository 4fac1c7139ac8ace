import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { startRecordedServer } from '../../src/server/lifecycle/recorded-server.fixtures.ts'
import { createTestStorage, startOtherServer } from '../app.ts'
import { documentedSteps, outputPattern, runCurl } from '../documented-steps.ts'
import { startMailServer } from '../mail-server.ts'
import * as make from '../make.ts'
import { publicUrl } from './app-with-keys.ts'
import {
  type AppWithMail,
  anasAddress,
  askAs,
  CodeBrowser,
  codeIn,
  codeOf,
  mailSettings,
  mailsOf,
  setLogin,
  startAppWithMail,
} from './codes.ts'
import { appOrigin } from './origins.ts'
import { expectAbsent, writtenBy } from './secrets.ts'
import { ownPage } from './sessions.ts'

// An app without a browser signs in with a code, and gets the secret of its session in the response.

const day = 24 * 60 * 60 * 1000

/** An app sends none of the headers by which browsers name the source of a request. */
class App extends CodeBrowser {
  protected override readonly pageHeaders = {}
  redeemForToken = (code: string) => this.post('/api/sign-in/code/redeem', { code, bearer: true })
}

/** Signs Ana in. @returns the secret of the session */
async function signIn(t: AppWithMail, app = new App(t)): Promise<string> {
  return tokenIn(await app.redeemForToken(await askAs(t, app)))
}

function tokenIn({ text }: { text: string }): string {
  const { token } = JSON.parse(text)[0].data
  expect(token).toMatch(/^smt_[\w-]{43}$/)
  return token
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const clientWith = (t: { url: string }, token: string) => createClient(t.url, { headers: bearer(token) })
const codeWith = (t: { url: string }, token: string) => make.codeOf(clientWith(t, token).call('getMe', {}))

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

test('the session is listed as that of an app, and ends like any other', async () => {
  await using t = await startAppWithMail()
  await using other = await startOtherServer(t)
  const first = await signIn(t, new App(t, { 'user-agent': 'SummitApp/1 (Linux; Android 14)' }))
  const second = await signIn(t)
  const { client } = t.ana
  const sessions = (await client.listCredentials({})).credentials.filter(({ kind }) => kind === 'session')
  expect(sessions.map(({ label }) => label)).toEqual(['App', 'App · Android'])
  expect(sessions[0]?.expires_at).toBe('2030-07-30 09:00:00')
  await client.revokeCredential({ credential_id: Number(sessions[1]?.id) })
  for (const server of [t, other])
    expect([await codeWith(server, first), await codeWith(server, second)]).toEqual([4010, 1000])
  const own = await clientWith(t, second).call('revokeCredential', { credential_id: Number(sessions[0]?.id) })
  expect([own.envelope.response_code, own.headers.getSetCookie()]).toEqual([2000, []])
  expect(await codeWith(t, second)).toBe(4010)
})

test('the session lasts while it is used every 30 days, and ends with the attendance', async () => {
  await using t = await startAppWithMail()
  const [used, idle] = [await signIn(t), await signIn(t)]
  for (let nth = 0; nth < 2; nth++) {
    t.advance(29 * day)
    expect(await codeWith(t, used)).toBe(1000)
  }
  expect(await codeWith(t, idle)).toBe(4011)
  t.advance(29 * day)
  expect(await codeWith(t, used)).toBe(1000)
  t.advance(3 * day)
  expect(await codeWith(t, used)).toBe(4011)
})

test('an app erases its participant no sooner than a browser does', async () => {
  await using t = await startAppWithMail()
  const client = clientWith(t, await signIn(t))
  const erase = async () =>
    (await client.call('eraseOwnData', { participant_id: t.ana.participant })).envelope.data as object
  expect(await erase()).toMatchObject({ reason: 'SESSION_TOO_NEW' })
  t.advance(day)
  expect(await erase()).toMatchObject({ erasure: { keys: 2 } })
})

test('signing in ends the session with which it is sent', async () => {
  await using t = await startAppWithMail()
  const first = await signIn(t)
  const app = new App(t)
  const code = await askAs(t, app)
  app.headers = bearer(first)
  const second = tokenIn(await app.redeemForToken(code))
  expect([await codeWith(t, first), await codeWith(t, second)]).toEqual([4010, 1000])
})

describe('the secret is of no use', () => {
  const topics = '/api/newsfeeds/topics/0/10'
  const read = async (t: AppWithMail, path: string, headers: Record<string, string> = {}) =>
    (await make.send(t, 'GET', path, undefined, headers)).response_code

  test('in a query, a path or a cookie', async () => {
    await using t = await startAppWithMail()
    const token = await signIn(t)
    for (const path of [`${topics}?access_token=${token}`, `${topics}?key=${token}`, `/k/${token}${topics}`])
      expect(await read(t, path), path).toBe(4010)
    expect(await read(t, topics, { cookie: `__Host-summit=${token}`, ...ownPage })).toBe(4010)
    expect(await read(t, topics, bearer(token))).toBe(1000)
  })

  test('of a browser in a header', async () => {
    await using t = await startAppWithMail()
    const browser = new CodeBrowser(t)
    await browser.redeem(await askAs(t, browser))
    const cookie = browser.cookies.get('__Host-summit') ?? ''
    expect(await read(t, topics, bearer(cookie))).toBe(4010)
    expect(await read(t, topics, { cookie: `__Host-summit=${cookie}` })).toBe(1000)
  })

  test('next to a cookie, be it of the same session', async () => {
    await using t = await startAppWithMail()
    const token = await signIn(t)
    for (const cookie of [token, 'x', `smt_${'A'.repeat(43)}`])
      expect(await read(t, topics, { cookie: `__Host-summit=${cookie}`, ...bearer(token) })).toBe(4010)
    // That of a browser that asks for codes is no credential.
    expect(await read(t, topics, { cookie: `__Host-summit-browser=${token}`, ...bearer(token) })).toBe(1000)
  })
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

test('writes of all sessions of a participant count together', async () => {
  await using t = await startAppWithMail({ WRITES_PER_MINUTE: '2' })
  const tokens = [await signIn(t), await signIn(t), await signIn(t)]
  const codes: number[] = []
  for (const token of tokens) codes.push(await make.codeOf(clientWith(t, token).call('createTopic', topicOfAna(t))))
  expect(codes).toEqual([1000, 1000, 4290])
})

const topicOfAna = (t: AppWithMail) => ({ name: 'On my way', created_by: t.ana.participant })

test('a retried redemption starts the session again in the same app, and never turns a cookie into a secret', async () => {
  await using t = await startAppWithMail()
  const app = new App(t)
  const code = await askAs(t, app)
  app.headers = { 'idempotency-key': 'redeem' }
  const [first, second] = [await app.redeemForToken(code), await app.redeemForToken(code)]
  expect(second.headers.get('idempotency-replayed')).toBe(null)
  expect([await codeWith(t, tokenIn(first)), await codeWith(t, tokenIn(second))]).toEqual([4010, 1000])
  expect((await app.redeem(code)).reason).toBe('CODE_INVALID')
  const thief = new App(t, { 'idempotency-key': 'redeem' })
  expect((await thief.redeemForToken(code)).reason).toBe('CODE_INVALID')
  t.advance(60_000)
  expect((await app.redeemForToken(code)).reason).toBe('CODE_INVALID')
  expect(await codeWith(t, tokenIn(second))).toBe(1000)
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

test('the commands in the API guide sign in an app', async () => {
  await using t = await startAppWithMail()
  await using folder = await mkdtempDisposable(join(tmpdir(), 'summit-test-'))
  const guide = await readFile(join(import.meta.dirname, '../../docs/api.md'), 'utf8')
  const [, text = ''] = guide.split('\n### Sign-in without a browser\n')
  const steps = documentedSteps(text.split(/\n##/)[0] ?? '')
  expect(steps).toHaveLength(6)
  let [code, token] = ['', '']
  for (const { command, output } of steps) {
    const adapted = command
      .replaceAll('https://summit.example', t.url)
      .replace('12345678', code)
      .replaceAll('smt_…', token)
    const printed = await runCurl(adapted, folder.path)
    expect(printed.replaceAll(t.url, 'https://summit.example')).toMatch(outputPattern(output))
    if (command.includes('/api/sign-in/code ')) code = await codeOf(t, 1)
    token ||= /smt_[\w-]{43}/.exec(printed)?.[0] ?? ''
  }
  expect([token !== '', await codeWith(t, token)]).toEqual([true, 4010])
})
