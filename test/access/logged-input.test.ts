import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startRecordedServer } from '../../src/server/lifecycle/recorded-server.fixtures.ts'
import { createTestStorage } from '../app.ts'
import { publicUrl } from './app-with-keys.ts'
import { ownPage } from './sessions.ts'

// What clients send is in no line of the log, whatever is wrong with it, at the level that logs most.

/** Text that occurs nowhere else. */
const secret = 'Zq7secretxW'
const boundary = { 'content-type': 'multipart/form-data; boundary=b' }
const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const part = (headers: string, end = '\r\n--b--\r\n') => `--b\r\n${headers}\r\n\r\n${secret}${end}`
const disposition = 'Content-Disposition: form-data; name="token"'

const bodies: [what: string, headers: Record<string, string>, body: string | Buffer][] = [
  ['JSON that is only text', json, secret],
  ['JSON that begins with it', json, `${secret}: {}`],
  ['JSON with a member that is not quoted', json, `{${secret}: 1}`],
  ['JSON that does not end', json, `{"token": "${secret}`],
  ['JSON with a line break in a text', json, `{"token": "\n    at ${secret}\n"}`],
  ['JSON with bytes that are not UTF-8', json, Buffer.from(`{"token":"\xff${secret}"}`, 'latin1')],
  ['JSON that is no object', json, `["${secret}"]`],
  ['a member that is unknown', json, `{"${secret}": "${secret}"}`],
  ['a value of another type', json, `{"token": {"${secret}": ["${secret}"]}}`],
  ['text of an invitation', json, `{"token": "${secret}"}`],
  ['text of an address', json, `{"token": "x", "email": "${secret}@summit.example"}`],
  ['a form with bad percent-encoding', form, `token=${secret}%zz`],
  ['a form with bytes that are not UTF-8', form, Buffer.from(`token=${secret}\xff`, 'latin1')],
  ['a form with a deep name', form, `${secret}[a][b][c][d]=1&token[${secret}]=1`],
  ['a multipart form without an end', boundary, part(disposition, '')],
  ['a multipart form with a malformed header', boundary, part(`${disposition}\r\n${secret}`)],
  [
    'a multipart form with a repeated header',
    boundary,
    part(`${disposition}\r\nContent-${secret}: 1\r\nContent-${secret}: 1`),
  ],
  ['a multipart form with a repeated parameter', boundary, part(`${disposition}; ${secret}=1; ${secret}=2`)],
  ['a multipart form with an unknown charset', boundary, part(`${disposition}; filename*=${secret}''x`)],
  ['a multipart form with other text', boundary, `${secret}\r\n${part(disposition)}`],
  ['a repeated boundary', { 'content-type': `multipart/form-data; ${secret}=b; ${secret}=c` }, part(disposition)],
  ['an unknown media type', { 'content-type': `application/${secret}` }, secret],
  ['an unknown encoding', { ...json, 'content-encoding': secret }, secret],
]

test('no byte of a body, a header or a query is logged', async () => {
  await using storage = await createTestStorage()
  const settings = { ACCESS: 'members', PUBLIC_URL: publicUrl, LOG_LEVEL: 'debug' }
  await using server = await startRecordedServer({ ...storage.settings, ...settings })
  const paths = [
    '/api/sign-in/invitation',
    '/api/sign-in/code',
    '/sign-in',
    `/k/smt_${secret}/api/newsfeeds/topics/create`,
  ]
  for (const [what, headers, body] of bodies)
    for (const path of paths) {
      const response = await fetch(server.url + path, { method: 'POST', body, headers: { ...ownPage, ...headers } })
      expect(await response.text(), what).toMatch(/./)
    }
  for (const path of [
    ...[`/k/${secret}%zz/api`, `/api/newsfeeds/topics/${secret}%zz`, `/${secret}`, `/api/participants/${secret}`],
    ...[`/api/newsfeeds/files/1/${secret.repeat(2_000)}`, `/sign-in/oidc/callback?code=${secret}`],
  ])
    await (await fetch(server.url + path)).text()
  const headers = {
    ...{ cookie: `__Host-summit=${secret}; ${secret}`, authorization: `Bearer ${secret}`, 'x-forwarded-for': secret },
    ...{ accept: secret, origin: `https://${secret}.example`, 'idempotency-key': secret, 'user-agent': secret },
  }
  for (const method of ['GET', 'POST'])
    await (await fetch(`${server.url}/api/newsfeeds/topics/create?${secret}`, { method, headers })).text()
  const lines = await server.close()
  expect(lines.length).toBeGreaterThan(bodies.length)
  expect(lines.filter((line) => JSON.stringify(line).includes(secret))).toEqual([])
})

test('an error of the database is logged without the values of the write', async () => {
  await using storage = await createTestStorage()
  await using server = await startRecordedServer({ ...storage.settings, LOG_LEVEL: 'debug' })
  const { database } = server.serving.ctx
  await database.transaction((db) => sql`create unique index one on topic (header)`.execute(db))
  const post = () => server.client.call('createTopic', { name: secret, created_by: 1 })
  await post()
  expect((await post()).envelope.response_code).toBe(5000)
  // Other tests get the same database.
  await database.transaction((db) => sql`drop index one`.execute(db))
  const lines = await server.close()
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 50, err: expect.objectContaining({ stack: expect.stringMatching(/\n +at /) }) }),
  )
  expect(lines.filter((line) => JSON.stringify(line).includes(secret))).toEqual([])
})
