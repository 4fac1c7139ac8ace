import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { startOtherServer, startTestApp, type TestApp } from '../app.ts'
import { runSummitInProcess } from '../command.ts'
import * as make from '../make.ts'
import { sendRawRequests } from '../send-raw-requests.ts'
import { type AppWithKeys, startAppWithKeys } from './app-with-keys.ts'
import { read } from './secret-urls.ts'
import { signInAsParticipant } from './sessions.ts'

const topics = '/api/newsfeeds/topics/0/10'
const day = 24 * 60 * 60 * 1000

describe.each(['public', 'members'] as const)('where ACCESS is %s, a client at a personal URL', (access) => {
  test('reads, writes, uploads, changes and deletes as that participant, without a header', async () => {
    await using t = await startAppWithKeys(access)
    const { client, prefix } = await t.issuePersonalUrl(t.ana.participant)
    const uploaded_files = [{ name: 'notes.txt', data: 'R3LD' }]
    const created = await client.call('createTopic', { name: 'Lunch', created_by: t.ana.participant, uploaded_files })
    if (created.envelope.response_code !== 1000) throw new Error(created.text)
    const topic = make.only((await client.getTopic({ topic_id: 1 })).NewsFeed)
    expect(topic.author).toMatchObject({ id: String(t.ana.participant), name: 'Ana Cruz' })
    const { pathname, search } = new URL(make.only(topic.content.uploaded_files).link)
    expect(await (await fetch(t.url + pathname + search)).text()).toBe(Buffer.from('R3LD', 'base64').toString())
    await client.createComment({ topic_id: 1, comment: 'Me too', created_by: t.ana.participant })
    await client.likeTopic({ topic_id: 1, created_by: t.ana.participant })
    await client.addFeedback({ created_by: t.ana.participant, comments: 'Fine' })
    await client.updateTopic({ topic_id: 1, name: 'Dinner' })
    const { participant } = await client.updateParticipant({ participantId: t.ana.participant, designation: 'Chef' })
    expect(participant).toMatchObject({ designation: 'Chef', email: 'ana@summit.example' })
    const { participants } = await client.listParticipants({ offset: 0, limit: 10 })
    expect(participants.map(({ email }) => email)).toEqual(['', ''])
    expect(await make.codeOf(client.call('deleteTopic', { topic_id: 1 }))).toBe(2000)
    for (const text of [created.text, JSON.stringify(topic), JSON.stringify(participant)])
      expect(text).not.toContain(prefix)
  })

  test('writes as nobody else', async () => {
    await using t = await startAppWithKeys(access)
    const { client } = await t.issuePersonalUrl(t.ana.participant)
    await t.ben.client.createTopic({ name: 'Lunch', created_by: t.ben.participant })
    const codes = [
      await make.codeOf(client.call('createTopic', { name: 'x', created_by: t.ben.participant })),
      await make.codeOf(client.call('deleteTopic', { topic_id: 1 })),
    ]
    expect(codes).toEqual([4030, 4030])
  })

  test('has no roles, although its participant is an organizer elsewhere', async () => {
    await using t = await startAppWithKeys(access)
    await t.issueKey({ participant: t.ana.participant, roles: ['owner'] })
    const personal = await t.issuePersonalUrl(t.ana.participant)
    await t.ctx.database.transaction((tx) =>
      tx.updateTable('credential').set({ roles: 'owner' }).where('id', '=', personal.id).execute(),
    )
    const { participants } = await personal.client.listParticipants({ offset: 0, limit: 10 })
    expect(participants.map(({ email }) => email)).toEqual(['', ''])
  })

  test('gets 4011 when it has expired, and 4010 on every server when it was revoked', async () => {
    await using t = await startAppWithKeys(access)
    await using other = await startOtherServer(t)
    const forADay = await t.issuePersonalUrl(t.ana.participant, t.ctx.clock() + day)
    const forever = await t.issuePersonalUrl(t.ana.participant)
    const elsewhere = { client: createClient(other.url + forever.prefix) }
    expect(await Promise.all([forADay, forever, elsewhere].map(read))).toEqual([1000, 1000, 1000])
    expect(await runSummitInProcess(['key', 'revoke', String(forever.id)], t.settings)).toMatchObject({
      code: 0,
      err: '',
    })
    expect(await Promise.all([forADay, forever, elsewhere].map(read))).toEqual([1000, 4010, 4010])
    t.advance(day)
    expect(await read(forADay)).toBe(4011)
  })
})

describe('the path /k/{secret}', () => {
  /** Sends a GET for a target exactly as given. */
  const get = async (t: TestApp, target: string, ...lines: string[]) => {
    const head = ['Host: 127.0.0.1', 'Connection: close', 'Accept: application/problem+json', ...lines].join('\r\n')
    const response = await sendRawRequests(t, `GET ${target} HTTP/1.1\r\n${head}\r\n\r\n`)
    const status = Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1])
    return { status, code: Number(/"(?:response_)?code":(\d+)/.exec(response)?.[1]), response }
  }

  test('leads to the API, however its slashes are written', async () => {
    await using t = await startAppWithKeys('members')
    const { prefix } = await t.issuePersonalUrl(t.ana.participant)
    for (const target of [
      prefix + topics,
      `${prefix}/${topics}`,
      `/${prefix}${topics}`,
      `${prefix}${topics}/`,
      `${prefix}${topics}?_=1`,
      `http://summit.example${prefix}${topics}`,
      `HTTPS://summit.example${prefix}${topics}`,
    ])
      expect((await get(t, target)).code, target).toBe(1000)
  })

  test('leads to nothing else', async () => {
    await using t = await startAppWithKeys('public')
    const { prefix } = await t.issuePersonalUrl(t.ana.participant)
    const paths = ['', '/', '/docs', '/openapi.json', '/metrics', '/healthz', '/readyz', '/docs/guide', '/apix', prefix]
    for (const path of [...paths, '/api', '/api/', '/api/../metrics', '/api/%2e%2e/metrics', '/%61pi/participants/0/9'])
      expect((await get(t, prefix + path)).status, path).toBe(404)
    for (const target of ['/k', '/k/', `/k${topics}`, `/k/${topics}`, `/K/x/..${topics}`])
      expect((await get(t, target)).status, target).toBe(404)
  })

  test('gets 4010 for a secret that is none, or belongs in a header, and in a header for one of a URL', async () => {
    await using t = await startAppWithKeys('public')
    const { prefix } = await t.issuePersonalUrl(t.ana.participant)
    const app = await t.issueAppUrl()
    const bearer = t.ana.headers.authorization?.slice('Bearer '.length)
    const changed = `${prefix.slice(0, -1)}${prefix.endsWith('A') ? 'B' : 'A'}`
    for (const wrong of ['/k/x', `/k/${bearer}`, `${prefix}x`, changed, '/k/%00', `/k/smt_${'A'.repeat(15_000)}`])
      expect((await get(t, wrong + topics)).code, wrong).toBe(4010)
    for (const secret of [prefix, app.prefix].map((path) => path.slice('/k/'.length)))
      expect((await get(t, topics, `Authorization: Bearer ${secret}`)).code).toBe(4010)
  })

  test('and a key in a header or a session are one credential too many, also of the same participant', async () => {
    await using t = await startAppWithKeys('public')
    const { prefix } = await t.issuePersonalUrl(t.ana.participant)
    for (const value of [t.ana.headers.authorization, t.ben.headers.authorization, 'Bearer', 'Bearer x'])
      expect((await get(t, prefix + topics, `Authorization: ${value}`)).code, value).toBe(4010)
    for (const [name, value] of Object.entries((await signInAsParticipant(t, t.ana.participant)).headers))
      expect((await get(t, prefix + topics, `${name}: ${value}`)).code, name).toBe(name === 'cookie' ? 4010 : 1000)
    // It may be for a proxy.
    expect((await get(t, prefix + topics, 'Authorization: Basic eDp5')).code).toBe(1000)
  })

  test('is not sent on as a referrer, and its credential is named to a proxy', async () => {
    await using t = await startAppWithKeys('members')
    const { prefix, id } = await t.issuePersonalUrl(t.ana.participant)
    for (const path of [topics, '/api/newsfeeds/topics/99/details', '/api/newsfeeds/topics/x/details']) {
      const { headers } = await fetch(t.url + prefix + path)
      const named = Object.fromEntries(headers)
      expect(named).toMatchObject({ 'referrer-policy': 'no-referrer', 'summit-credential': String(id) })
    }
    const { headers } = await fetch(t.url + topics, { headers: t.ana.headers })
    expect(headers.get('summit-credential')).toBe(null)
  })

  test('names its credential to a proxy also once it has expired or been revoked', async () => {
    await using t = await startAppWithKeys('members')
    const expired = await t.issuePersonalUrl(t.ana.participant, t.ctx.clock() + day)
    const revoked = await t.issuePersonalUrl(t.ana.participant)
    await t.revoke(revoked)
    t.advance(day)
    for (const { prefix, id } of [expired, revoked])
      expect((await fetch(t.url + prefix + topics)).headers.get('summit-credential')).toBe(String(id))
    const unknown = await fetch(`${t.url}/k/smt_${'A'.repeat(43)}${topics}`)
    expect(unknown.headers.get('summit-credential')).toBe(null)
  })

  test('does not exist where ACCESS is open', async () => {
    await using t = await startTestApp()
    const { status, response } = await get(t, `/k/smt_${'A'.repeat(43)}${topics}`)
    expect(status).toBe(404)
    expect(response).toContain('NO_SUCH_ROUTE')
    expect(response.toLowerCase()).not.toContain('referrer-policy')
  })
})

test('a page of another origin that CORS_ORIGINS allows uses a personal URL', async () => {
  await using t: AppWithKeys = await startAppWithKeys('public', { CORS_ORIGINS: 'https://app.example' })
  const { prefix, id } = await t.issuePersonalUrl(t.ana.participant)
  const origin = 'https://app.example'
  const preflight = await fetch(t.url + prefix + topics, { method: 'OPTIONS', headers: { origin } })
  expect(preflight.headers.get('access-control-allow-methods')).toContain('GET')
  const { headers } = await fetch(t.url + prefix + topics, { headers: { origin } })
  expect([headers.get('access-control-allow-origin'), headers.get('referrer-policy')]).toEqual([origin, 'no-referrer'])
  expect(headers.get('summit-credential')).toBe(String(id))
})
