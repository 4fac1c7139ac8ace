import { expect, test } from 'vitest'
import { startOtherServer } from '../app.ts'
import * as make from '../make.ts'
import { type AppWithKeys, startAppWithKeys } from './app-with-keys.ts'
import { cookieOf, inviteAsOrganizer, ownPage, sendInvitation, signInAsOrganizer } from './sessions.ts'

const minute = 60_000
const eva = 'eva@summit.example'
const once = { 'idempotency-key': 'once' }
const removal = '__Host-summit=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0'

const codeWith = async (t: AppWithKeys, cookie: string) =>
  (await make.send(t, 'GET', '/api/me', undefined, { cookie })).response_code
const stored = (t: AppWithKeys) => t.ctx.database.read.selectFrom('idempotency').selectAll().execute()

test('a retried redemption starts the session again, on any server, and ends the one before', async () => {
  await using t = await startAppWithKeys('members')
  await using other = await startOtherServer(t)
  const token = await inviteAsOrganizer(t, eva, ['owner'])
  const first = await sendInvitation(t.url, token, once)
  const second = await sendInvitation(other.url, token, once)
  expect(second.data).toEqual(first.data)
  expect(second.headers.get('idempotency-replayed')).toBe(null)
  expect([await codeWith(t, cookieOf(first)), await codeWith(t, cookieOf(second))]).toEqual([4010, 1000])
  t.advance(minute - 1)
  expect((await sendInvitation(t.url, token, once)).response_code).toBe(1000)
  t.advance(1)
  expect((await sendInvitation(t.url, token, once)).data).toMatchObject({ reason: 'INVITATION_INVALID' })
})

test('a retry with the cookie of an earlier session starts the session again', async () => {
  await using t = await startAppWithKeys('members')
  const { headers } = await signInAsOrganizer(t, eva, ['owner'])
  const token = await inviteAsOrganizer(t, eva, ['owner'])
  const send = () => sendInvitation(t.url, token, { ...headers, ...once })
  const [first, second] = [await send(), await send()]
  expect([first.response_code, second.response_code]).toEqual([1000, 1000])
  expect(await codeWith(t, cookieOf(second))).toBe(1000)
})

test('without the key of the first attempt, or from another browser, it stays used', async () => {
  await using t = await startAppWithKeys('members')
  const token = await inviteAsOrganizer(t, eva, ['owner'])
  const first = await sendInvitation(t.url, token, once)
  for (const headers of [{}, { 'idempotency-key': 'twice' }, { ...once, 'user-agent': 'another' }])
    expect((await sendInvitation(t.url, token, headers)).data).toMatchObject({ reason: 'INVITATION_INVALID' })
  expect(await codeWith(t, cookieOf(first))).toBe(1000)
  const another = await inviteAsOrganizer(t, 'mo@summit.example', ['desk'])
  expect((await sendInvitation(t.url, another, once)).response_code).toBe(1000)
})

test('a session that was ended does not start again', async () => {
  await using t = await startAppWithKeys('members')
  const token = await inviteAsOrganizer(t, eva, ['owner'])
  const first = await sendInvitation(t.url, token, once)
  await make.send(t, 'POST', '/api/me/sign-out', undefined, { cookie: cookieOf(first), ...ownPage })
  expect((await sendInvitation(t.url, token, once)).data).toMatchObject({ reason: 'INVITATION_INVALID' })
})

test('of retries at once, one session remains', async () => {
  await using t = await startAppWithKeys('members')
  await using other = await startOtherServer(t)
  const token = await inviteAsOrganizer(t, eva, ['owner'])
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, nth) => sendInvitation([t, other][nth % 2]?.url ?? '', token, once)),
  )
  expect(responses.map(({ response_code }) => response_code)).toEqual(responses.map(() => 1000))
  const codes = await Promise.all(responses.map((response) => codeWith(t, cookieOf(response))))
  expect(codes.filter((code) => code === 1000)).toHaveLength(1)
})

test('no response of a sign-in is stored', async () => {
  await using t = await startAppWithKeys('members')
  const token = await inviteAsOrganizer(t, eva, ['owner'])
  await sendInvitation(t.url, token, once)
  expect(JSON.stringify(await stored(t))).not.toMatch(/eva@|smt_|once/)
})

test('a retried sign-out succeeds, and removes the cookie', async () => {
  await using t = await startAppWithKeys('members')
  const { headers } = await signInAsOrganizer(t, eva, ['owner'])
  const signOut = (sent: Record<string, string>) => make.send(t, 'POST', '/api/me/sign-out', undefined, sent)
  for (const sent of [{ ...headers, ...once }, { ...headers, ...once }, headers, ownPage, {}]) {
    const response = await signOut(sent)
    expect([response.response_code, response.headers.get('set-cookie')]).toEqual([1000, removal])
  }
  const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  expect((await signOut(foreign)).response_code).toBe(4030)
})
