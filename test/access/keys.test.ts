import { describe, expect, test } from 'vitest'
import { markUsed } from '../../src/server/auth/credential-store.ts'
import { removeParticipants } from '../../src/server/domains/participants/stored-participants.ts'
import { forgetParticipant } from '../../src/server/domains/privacy/forget-participant.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { holdWrites } from '../databases.ts'
import { inCommand } from '../in-command.ts'
import * as make from '../make.ts'
import { normalizeResponse, sendRawRequests } from '../send-raw-requests.ts'
import { startAppWithKeys } from './app-with-keys.ts'

const topics = '/api/newsfeeds/topics/0/10'
const hour = 60 * 60 * 1000

/** Sends a read with these header lines. @returns the code, the challenge, and the raw response */
async function readWith(t: TestApp, ...lines: string[]) {
  const head = ['Host: 127.0.0.1', 'Connection: close', ...lines].join('\r\n')
  const response = await sendRawRequests(t, `GET ${topics} HTTP/1.1\r\n${head}\r\n\r\n`)
  return {
    code: Number(/"response_code":(\d+)/.exec(response)?.[1]),
    challenge: /^www-authenticate: (.*)\r$/im.exec(response)?.[1],
    response,
  }
}

describe('where ACCESS is public, an Authorization header', () => {
  const invalid = 'Bearer error="invalid_token"'

  test('that is not one usable key gets 4010 and a challenge, although anyone may read this', async () => {
    await using t = await startAppWithKeys('public')
    const { authorization = '' } = t.ana.headers
    const unknown = `Bearer smt_${'A'.repeat(43)}`
    const headers: [string, ...string[]][] = [
      ['an unknown key', `Authorization: ${unknown}`],
      ['a changed key', `Authorization: ${authorization}x`],
      ['a shortened key', `Authorization: ${authorization.slice(0, -1)}`],
      ['no key', 'Authorization: Bearer'],
      ['no key but spaces', 'Authorization: Bearer   '],
      ['an empty value', 'Authorization:'],
      ['something else after the key', `Authorization: ${authorization} x`],
      ['several words', 'Authorization: Bearer a b c'],
      ['a tab', `Authorization: Bearer\t${unknown.slice(7)}`],
      ['characters that keys never have', 'Authorization: Bearer smt_\u00e9"\';--'],
      ['15,000 characters', `Authorization: Bearer smt_${'A'.repeat(15_000)}`],
      ['15,000 spaces', `Authorization: Bearer a${' '.repeat(15_000)}b`],
      ['two keys', `Authorization: ${authorization}`, `Authorization: ${t.ben.headers.authorization}`],
      ['the same key twice', `Authorization: ${authorization}`, `Authorization: ${authorization}`],
      ['another scheme after an empty one', 'Authorization: Bearer', 'Authorization: Basic eDp5'],
      ['another scheme first', 'Authorization: Basic eDp5', `Authorization: ${authorization}`],
    ]
    for (const [what, ...lines] of headers)
      expect(await readWith(t, ...lines), what).toMatchObject({ code: 4010, challenge: invalid })
  })

  test('of another scheme is ignored, as it may be for a proxy', async () => {
    await using t = await startAppWithKeys('public')
    for (const value of ['Basic eDp5', 'Digest username="x"', 'Bearers x', 'Negotiate'])
      expect((await readWith(t, `Authorization: ${value}`)).code, value).toBe(1000)
    const { headers, response_code } = await make.send(t, 'DELETE', '/api/newsfeeds/topics/1/delete', undefined, {
      authorization: 'Basic eDp5',
    })
    expect([response_code, headers.get('www-authenticate')]).toEqual([4010, 'Bearer'])
  })

  test('names its scheme in any case', async () => {
    await using t = await startAppWithKeys('members')
    const key = t.ana.headers.authorization?.slice('Bearer '.length)
    for (const scheme of ['bearer', 'BEARER', 'Bearer  '])
      expect((await readWith(t, `Authorization: ${scheme} ${key}`)).code, scheme).toBe(1000)
  })
})

test('where ACCESS is open, an Authorization header changes nothing', async () => {
  await using t = await startTestApp()
  const [plain, ...others] = await Promise.all(
    [[], ['Authorization: Bearer x'], ['Authorization:']].map(async (lines) => readWith(t, ...lines)),
  )
  for (const { response } of others) expect(normalizeResponse(response)).toBe(normalizeResponse(plain?.response ?? ''))
})

test('a client that prefers problem+json gets the status 401 without a key, and 403 for what is not allowed', async () => {
  await using t = await startAppWithKeys('members')
  await t.ana.client.createTopic({ name: 'Lunch is served', created_by: t.ana.participant })
  const path = `${t.url}/api/newsfeeds/topics/1/delete`
  const statusWith = async (headers: Record<string, string>) => {
    const accept = 'application/problem+json'
    const response = await fetch(path, { method: 'DELETE', headers: { accept, ...headers } })
    const { status, code, reason } = (await response.json()) as Record<string, unknown>
    expect(response.headers.get('cache-control')).toBe('no-store')
    return [response.status, status, code, reason, response.headers.get('www-authenticate')]
  }
  expect(await statusWith({})).toEqual([401, 401, 4010, 'UNAUTHENTICATED', 'Bearer'])
  expect(await statusWith(t.ben.headers)).toEqual([403, 403, 4030, 'FORBIDDEN', null])
})

test('a key works until it expires, and then gets 4011 and a challenge', async () => {
  await using t = await startAppWithKeys('public')
  const { participant } = t.ana
  const key = await t.issueKey({ participant, expiresAt: t.ctx.clock() + hour })
  t.advance(hour - 1)
  const read = () => key.client.call('listTopics', { offset: 0, limit: 1 })
  expect(await make.codeOf(read())).toBe(1000)
  t.advance(1)
  const { envelope, headers } = await read()
  expect(envelope).toMatchObject({ response_code: 4011, data: { reason: 'CREDENTIAL_EXPIRED' } })
  expect(headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
  expect(await make.codeOf(key.client.call('createTopic', { name: 'Too late', created_by: participant }))).toBe(4011)
})

test.each([
  ['deleted', remove],
  ['forgotten', async (t: TestApp, id) => void (await inCommand(t, (scope) => forgetParticipant(scope, id, false)))],
] satisfies [string, typeof remove][])(
  'the keys of a participant who is %s get 4010 for everything, and those of others work',
  async (_, remove) => {
    await using t = await startAppWithKeys('public')
    const withRoles = await t.issueKey({ participant: t.ana.participant, roles: ['owner'] })
    const codes = () =>
      Promise.all(
        [t.ana, withRoles, t.ben].map(async ({ client, participant }) => [
          await make.codeOf(client.call('listTopics', { offset: 0, limit: 1 })),
          await make.codeOf(client.call('createTopic', { name: 'Lunch', created_by: participant })),
        ]),
      )
    expect(await codes()).toEqual([
      [1000, 1000],
      [1000, 1000],
      [1000, 1000],
    ])
    await remove(t, t.ana.participant)
    expect(await codes()).toEqual([
      [4010, 4010],
      [4010, 4010],
      [1000, 1000],
    ])
  },
)

async function remove(t: TestApp, id: Parameters<typeof forgetParticipant>[1]): Promise<void> {
  await inCommand(t, (scope) => removeParticipants(scope, [id]))
}

describe('the last use of a key', () => {
  test('never goes back, as when several processes store uses', async () => {
    await using t = await startAppWithKeys('members')
    const { ana, ben } = t
    const store = (...uses: [id: number, usedAt: number][]) =>
      t.ctx.database.transaction((db) => markUsed(db, new Map(uses)))
    await store([ana.id, 5_000])
    await store([ana.id, 3_000], [ben.id, 4_999])
    const rows = await t.ctx.database.read.selectFrom('credential').select('used_at').orderBy('id').execute()
    expect(rows.slice(0, 2)).toEqual([{ used_at: 5_000 }, { used_at: 4_000 }])
  })

  test('does not delay a read while another process writes', async () => {
    await using t = await startAppWithKeys('members')
    const release = await holdWrites(t)
    try {
      const reading = make.codeOf(t.ana.client.call('listTopics', { offset: 0, limit: 1 }))
      // With the lock held, a write would wait for seconds and then fail.
      expect(await reading).toBe(1000)
    } finally {
      await release()
    }
  })
})
