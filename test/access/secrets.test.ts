import { expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import { startRecordedServer } from '../../src/server/lifecycle/recorded-server.fixtures.ts'
import { createTestStorage } from '../app.ts'
import { runSummitInProcess } from '../command.ts'
import { startMailServer } from '../mail-server.ts'
import * as make from '../make.ts'
import { publicUrl } from './app-with-keys.ts'
import { CodeBrowser, codeIn, codeOf, mailSettings, mailsOf, otherThan, setLogin } from './codes.ts'
import { expectAbsent, readAllRows, start, writtenBy } from './secrets.ts'
import { ownPage } from './sessions.ts'

/** How a client carries a secret. */
const inHeader = (secret: string) => ({ prefix: '', headers: { authorization: `Bearer ${secret}` } })
const inPath = (secret: string) => ({ prefix: `/k/${secret}`, headers: {} })

test.each([
  ['a key', 'phone', ['key', 'create', 'phone', '--participant', '1'], inHeader, inPath],
  ['a personal URL', 'secret URL', ['participant', 'link', '1'], inPath, inHeader],
  ['the URL of an app', 'phone', ['key', 'create', 'phone', '--app'], inPath, inHeader],
])(
  'the secret of %s is in no row, file, log line, metric or later output, which name its id',
  async (_, label, command, carry, mistake) => {
    await using storage = await createTestStorage()
    await using server = await start(storage, 'public')
    const { ctx } = server.serving
    const participant = await make.participant({ ctx })
    const settings = { ...storage.settings, ACCESS: 'public', PUBLIC_URL: publicUrl }
    const run = (...args: string[]) => runSummitInProcess(args, settings)
    const { out } = await run(...command)
    const secret = /^ {2}\S*(smt_[\w-]{43})$/m.exec(out)?.[1] ?? ''
    expect(secret).not.toBe('')

    const carried = carry(secret)
    const headers = { ...carried.headers, 'idempotency-key': 'once' }
    const { prefix } = carried
    const client = createClient(server.url + prefix, { headers })
    const uploaded_files = [{ name: 'notes.txt', data: 'R3LD' }]
    const lunch = { name: 'Lunch is served', created_by: participant, uploaded_files }
    expect(await make.codeOf(client.call('createTopic', lunch))).toBe(1000)
    const mistaken = mistake(secret)
    const topics = '/api/newsfeeds/topics/0/10'
    const requests: [string, RequestInit][] = [
      [`${prefix}/api/newsfeeds/topics/1/details`, { headers }],
      [`${prefix}/api/newsfeeds/files/1/notes.txt`, { headers }],
      [`${prefix}/api/newsfeeds/topics/create`, { method: 'POST', headers, body: '{' }],
      [`${prefix}/api/newsfeeds/topics/1/details`, { method: 'PATCH', headers }],
      [`${prefix}/api/nothing`, { headers }],
      [`${prefix}/api/newsfeeds/topics/%zz/details`, { headers }],
      // Mistakes of those who build an app.
      [mistaken.prefix + topics, { headers: mistaken.headers }],
      [`/k/${secret}x${topics}`, {}],
      [topics, { headers: { authorization: `Bearer ${secret}x` } }],
      [`/k/${secret}`, {}],
      [`/k/${secret}/docs`, {}],
      [`/k/${secret}/%zz`, {}],
      [`/k/${secret}/apix/%zz`, {}],
      [`/${secret}`, {}],
      [`${topics}?key=${secret}`, {}],
    ]
    const responses = await Promise.all(requests.map(([path, init]) => fetch(server.url + path, init)))
    const bodies = await Promise.all(responses.map((response) => response.text()))
    const sent = responses.map((response) => [...response.headers])
    const later = [await run('key', 'list'), await run('key', 'revoke', '1'), await run('key', 'list')]
    expect(later[0]?.out).toContain(label)
    const revokedPath = '/api/newsfeeds/topics/99/details'
    bodies.push(await (await fetch(server.url + prefix + revokedPath, { headers })).text())
    const written = await writtenBy(server, storage)

    expect(written.log).toContainEqual(expect.objectContaining({ operation: 'createTopic', credential: 1 }))
    expect(written.log).toContainEqual(
      expect.objectContaining({ operation: 'getTopic', response_code: 4010, credential: 1 }),
    )
    expectAbsent([secret], { bodies, sent, later, ...written })
  },
)

test('the key in links to images and files is in no row, file, log line or metric', async () => {
  await using storage = await createTestStorage()
  await using server = await start(storage, 'members')
  const { ctx } = server.serving
  const created_by = await make.participant({ ctx })
  const { out } = await runSummitInProcess(['key', 'create', 'x', '--participant', '1'], storage.settings)
  const headers = { authorization: `Bearer ${/smt_\S+/.exec(out)?.[0]}`, 'idempotency-key': 'once' }
  const client = createClient(server.url, { headers })
  const { NewsFeed } = await client.createTopic({ name: 'x', created_by, uploaded_files: [{ data: 'R3LD' }] })
  const { pathname, search } = new URL(make.only(make.only(NewsFeed).content.uploaded_files).link)
  const key = /smm_[\w-]{32}/.exec(search)?.[0] ?? ''
  expect(key).not.toBe('')
  const paths = [
    pathname,
    `${pathname}/x`,
    '/api/newsfeeds/topics/0/10',
    '/x',
    `/k/x${pathname}`,
    '/api/participants/%zz',
  ]
  const statuses = await Promise.all(paths.map(async (path) => (await fetch(server.url + path + search)).status))
  expect(statuses[0]).toBe(200)
  expectAbsent([key], await writtenBy(server, storage))
})

test('the secrets of invitations and sessions are in nothing but the responses that issued them', async () => {
  await using storage = await createTestStorage()
  const access = { ACCESS: 'members', PUBLIC_URL: publicUrl }
  await using server = await start(storage, 'members')
  const { ctx } = server.serving
  const participantId = await make.participant({ ctx })
  const secrets: string[] = []
  /** The text of an output that issues a secret, without it. */
  const collect = (text: string): string =>
    text.replace(/smt_[\w-]{43}/g, (secret) => {
      if (!secrets.includes(secret)) secrets.push(secret)
      return ''
    })
  const command = (...args: string[]) => runSummitInProcess(['organizer', ...args], { ...storage.settings, ...access })
  const outputs = [collect((await command('invite', 'eva@summit.example', '--role', 'owner')).out)]
  expect(secrets).toHaveLength(1)

  const token = secrets[0] ?? ''
  const post = (path: string, body: object, headers: Record<string, string>) =>
    make.send(server, 'POST', path, JSON.stringify(body), { ...ownPage, ...headers })
  const key = { 'idempotency-key': 'once' }
  const signedIn = await post('/api/sign-in/invitation', { token }, key)
  const retried = await post('/api/sign-in/invitation', { token }, key)
  for (const { headers } of [signedIn, retried]) collect(headers.get('set-cookie') ?? '')
  expect(secrets).toHaveLength(3)
  const challenged = await post('/api/sign-in/passkey/start', {}, { 'idempotency-key': 'challenge' })
  collect(challenged.headers.get('set-cookie') ?? '')
  expect(secrets).toHaveLength(4)
  outputs.push(JSON.stringify(challenged.data))
  const session = { cookie: `__Host-summit=${secrets[2]}` }
  const invitations: [string, object][] = [
    ['/api/organizers/invite', { email: 'mo@summit.example', roles: 'desk' }],
    [`/api/participants/${participantId}/invite`, {}],
  ]
  for (const [path, body] of invitations) {
    const headers = { ...session, 'idempotency-key': `invite ${path}`.replaceAll(' ', '-') }
    const before = secrets.length
    collect(JSON.stringify(await post(path, body, headers)))
    expect(secrets).toHaveLength(before + 1)
    const again = await post(path, body, headers)
    expect(again).toMatchObject({ response_code: 1000, data: { invitation: { link: '' } } })
    outputs.push(JSON.stringify([...again.headers, again]))
  }
  const reads: [string, RequestInit][] = [
    ['/api/me', { headers: session }],
    ['/api/me/credentials', { headers: session }],
    ['/api/organizers', { headers: session }],
    ['/api/newsfeeds/topics/create', { method: 'POST', headers: session, body: '{' }],
    ['/api/me', { headers: { cookie: `${session.cookie}; ${session.cookie}` } }],
    [`/sign-in/${token}`, {}],
    ['/api/me', { headers: { authorization: `Bearer ${secrets[2]}` } }],
  ]
  for (const [path, init] of reads) {
    const response = await fetch(server.url + path, init)
    outputs.push(JSON.stringify([...response.headers, await response.text()]))
  }
  outputs.push(JSON.stringify([retried.data, signedIn.data]))
  outputs.push((await command('list')).out, JSON.stringify(await post('/api/me/sign-out', {}, session)))
  expect(secrets).toHaveLength(6)
  expectAbsent(secrets, { outputs, ...(await writtenBy(server, storage)) })
})

test('codes are in nothing but the mail, and the secrets of browsers in nothing but their cookies', async () => {
  await using mail = await startMailServer()
  await using storage = await createTestStorage()
  await using server = await startRecordedServer({
    ...storage.settings,
    ...{ ACCESS: 'members', PUBLIC_URL: publicUrl, LOG_LEVEL: 'debug', ...mailSettings(mail) },
  })
  const { ctx } = server.serving
  const participant = (await make.participant({ ctx })) as ParticipantId
  await setLogin({ ctx }, participant, 'ana@login.example')
  const browser = new CodeBrowser(server, { 'idempotency-key': 'ask' })
  const outputs = [(await browser.ask('ana@login.example')).text]
  const code = await codeOf(mail, 1)
  const before = await readAllRows(ctx)
  browser.headers = { 'idempotency-key': 'redeem' }
  outputs.push((await browser.redeem(otherThan(code))).text, (await browser.redeem(code)).text)
  outputs.push((await browser.redeem(code)).text)
  browser.headers = {}
  const { data } = (await browser.client.call('getMe', {})).envelope
  expect(data).toMatchObject({ me: { login_email: 'ana@login.example' } })
  outputs.push(
    JSON.stringify(data),
    (await browser.post('/api/me/login-email/codes', { email: 'x@login.example' })).text,
  )
  const secrets = [...(await mailsOf(mail, 3)).map(codeIn), ...browser.cookies.values()]
  expect(secrets).toHaveLength(5)
  expectAbsent(secrets, { outputs, before, ...(await writtenBy(server, storage)) })
})
