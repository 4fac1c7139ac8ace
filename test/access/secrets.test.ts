import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import type { Context } from '../../src/server/context.ts'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import { tableNames } from '../../src/server/db/tables.ts'
import { startRecordedServer } from '../../src/server/lifecycle/recorded-server.fixtures.ts'
import { createTestStorage, type TestApp } from '../app.ts'
import { runSummitInProcess } from '../command.ts'
import { startMailServer } from '../mail-server.ts'
import * as make from '../make.ts'
import { publicUrl } from './app-with-keys.ts'
import { Browser, codeIn, mailSettings, otherThan, setLogin } from './codes.ts'
import { ownPage } from './sessions.ts'

test('the secret of a key is in no row, file, log line, metric or later output, which name its id', async () => {
  await using storage = await createTestStorage()
  await using server = await startRecordedServer({
    ...storage.settings,
    ...{ ACCESS: 'public', PUBLIC_URL: publicUrl, LOG_LEVEL: 'debug' },
  })
  const { ctx } = server.serving
  const participant = await make.participant({ ctx })
  const command = (...args: string[]) => runSummitInProcess(['key', ...args], storage.settings)
  const { out } = await command('create', 'phone', '--participant', String(participant))
  const secret = /^ {2}(smt_[\w-]{43})$/m.exec(out)?.[1] ?? ''
  expect(secret).not.toBe('')

  const headers = { authorization: `Bearer ${secret}`, 'idempotency-key': 'once' }
  const client = createClient(server.url, { headers })
  expect(await make.codeOf(client.call('createTopic', { name: 'Lunch is served', created_by: participant }))).toBe(1000)
  const requests: [string, RequestInit][] = [
    ['/api/newsfeeds/topics/1/details', { headers }],
    ['/api/newsfeeds/topics/create', { method: 'POST', headers, body: '{' }],
    ['/api/newsfeeds/topics/1/delete', { method: 'DELETE', headers: { authorization: `Bearer ${secret}x` } }],
    // Mistakes of those who build an app.
    [`/k/${secret}/api/newsfeeds/topics/0/10`, {}],
    [`/${secret}`, {}],
    [`/api/newsfeeds/topics/0/10?key=${secret}`, {}],
  ]
  const bodies = await Promise.all(requests.map(async ([path, init]) => (await fetch(server.url + path, init)).text()))
  const revoked = [await command('list'), await command('revoke', '1'), await command('list')]
  bodies.push(await (await fetch(server.url + requests[0]?.[0], { headers })).text())
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  const rows = await readAllRows(ctx)
  const log = await server.close()

  expect(log).toContainEqual(expect.objectContaining({ operation: 'createTopic', credential: 1 }))
  const stored = await readFolder(storage.dataDir)
  expectAbsent([secret], { bodies, revoked, metrics, rows, log, stored })
})

/** Everything in a folder, as text. */
async function readFolder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')))
}

const readAllRows = ({ database }: Context) =>
  Promise.all(tableNames.map((table) => database.read.selectFrom(table).selectAll().execute()))

/** Only the random part, as the prefix is known. */
function expectAbsent(secrets: readonly string[], everything: Record<string, unknown>): void {
  for (const secret of secrets)
    for (const [what, value] of Object.entries(everything))
      expect(JSON.stringify(value).includes(secret.replace(/^smt_/, '')), what).toBe(false)
}

test('the secrets of invitations and sessions are in nothing but the responses that issued them', async () => {
  await using storage = await createTestStorage()
  const access = { ACCESS: 'members', PUBLIC_URL: publicUrl }
  await using server = await startRecordedServer({ ...storage.settings, ...access, LOG_LEVEL: 'debug' })
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
    make.send({ ...server } as unknown as TestApp, 'POST', path, JSON.stringify(body), { ...ownPage, ...headers })
  const key = { 'idempotency-key': 'once' }
  const signedIn = await post('/api/sign-in/invitation', { token }, key)
  const replayed = await post('/api/sign-in/invitation', { token }, key)
  collect(signedIn.headers.get('set-cookie') ?? '')
  expect(secrets).toHaveLength(2)
  const session = { cookie: `__Host-summit=${secrets[1]}` }
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
    ['/api/me', { headers: { authorization: `Bearer ${secrets[1]}` } }],
  ]
  for (const [path, init] of reads) {
    const response = await fetch(server.url + path, init)
    outputs.push(JSON.stringify([...response.headers, await response.text()]))
  }
  outputs.push(JSON.stringify([[...replayed.headers], replayed, signedIn.data]))
  outputs.push((await command('list')).out, JSON.stringify(await post('/api/me/sign-out', {}, session)))
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  const rows = await readAllRows(ctx)
  const log = await server.close()
  expect(secrets).toHaveLength(4)
  expectAbsent(secrets, { outputs, metrics, rows, log, stored: await readFolder(storage.dataDir) })
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
  const browser = new Browser(server, { 'idempotency-key': 'ask' })
  const outputs = [(await browser.ask('ana@login.example')).text]
  await vi.waitFor(() => expect(mail.received).toHaveLength(1))
  const code = codeIn(make.only(mail.received))
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
  await vi.waitFor(() => expect(mail.received).toHaveLength(3))
  const secrets = [...mail.received.map(codeIn), ...browser.cookies.values()]
  expect(secrets).toHaveLength(5)
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  const rows = [before, await readAllRows(ctx)]
  const log = await server.close()
  expectAbsent(secrets, { outputs, metrics, rows, log, stored: await readFolder(storage.dataDir) })
})
