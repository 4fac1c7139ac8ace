import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startOtherServer } from '../app.ts'
import { documentedSteps, outputPattern, runCurl } from '../documented-steps.ts'
import * as make from '../make.ts'
import { App, bearer, clientWith, signIn, tokenIn } from './app-sessions.fixtures.ts'
import { type AppWithMail, askAs, CodeBrowser, codeOf, startAppWithMail } from './codes.ts'
import { ownPage } from './sessions.ts'

const day = 24 * 60 * 60 * 1000

const codeWith = (t: { url: string }, token: string) => make.codeOf(clientWith(t, token).call('getMe', {}))

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
