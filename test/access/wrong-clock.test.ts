import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deleteEnded } from '../../src/server/lifecycle/schedules/delete-ended.ts'
import { offerSetupLink } from '../../src/server/lifecycle/start/setup-link.ts'
import { startTestApp } from '../app.ts'
import * as make from '../make.ts'
import { publicUrl, startAppWithKeys } from './app-with-keys.ts'
import { askAs, CodeBrowser, readCodes, startAppWithMail } from './codes.ts'
import {
  codeOf,
  inviteAsOrganizer,
  inviteAsParticipant,
  sendInvitation,
  signInAsOrganizer,
  signInAsParticipant,
} from './sessions.ts'

// The clock is a year ahead for a while, and then set.

const year = 365 * 24 * 60 * 60_000

test('sessions that began by a clock that was ahead end once it is set, and those from before go on', async () => {
  await using t = await startAppWithKeys('members')
  const signInBoth = async (email: string) => [
    await signInAsParticipant(t, t.ana.participant),
    await signInAsOrganizer(t, email, ['owner']),
  ]
  const before = await signInBoth('eva@summit.example')
  t.advance(year)
  const meanwhile = await signInBoth('finn@summit.example')
  const codesOf = (sessions: typeof before) => Promise.all(sessions.map(codeOf))
  expect([await codesOf(before), await codesOf(meanwhile)]).toEqual([
    [4011, 4011],
    [1000, 1000],
  ])
  t.advance(-year)
  expect([await codesOf(before), await codesOf(meanwhile)]).toEqual([
    [1000, 1000],
    [4011, 4011],
  ])
})

test('an invitation of a clock that was ahead is invalid once it is set', async () => {
  await using t = await startAppWithKeys('members')
  t.advance(year)
  const [ofAna, ofEva] = [
    await inviteAsParticipant(t, t.ana.participant),
    await inviteAsOrganizer(t, 'eva@x.org', ['owner']),
  ]
  t.advance(-year)
  for (const token of [ofAna, ofEva]) expect((await sendInvitation(t.url, token)).response_code).toBe(4031)
})

test('a setup link of a clock that was ahead is replaced once it is set', async () => {
  await using t = await startAppWithKeys('members')
  const link = () => readFile(join(t.dataDir, 'setup-link'), 'utf8')
  t.advance(year)
  const { check } = await offerSetupLink(t.ctx, { signInUrl: publicUrl, show: undefined, announce: () => {} })
  const first = await link()
  t.advance(-year)
  await check()
  expect(await link()).not.toBe(first)
})

test('a code of a clock that was ahead is invalid once it is set, and does not count for ever', async () => {
  await using t = await startAppWithMail()
  const browser = new CodeBrowser(t)
  t.advance(year)
  const code = await askAs(t, browser)
  t.advance(-year)
  expect((await browser.redeem(code)).reason).toBe('CODE_INVALID')
  await deleteEnded(t.ctx)
  expect(await readCodes(t)).toEqual([])
  expect((await browser.redeem(await askAs(t, browser))).code).toBe(1000)
})

test('a sign-in by a clock that was ahead cannot be repeated once it is set', async () => {
  await using t = await startAppWithKeys('members')
  t.advance(year)
  const token = await inviteAsParticipant(t, t.ana.participant)
  const key = { 'idempotency-key': 'once' }
  expect((await sendInvitation(t.url, token, key)).response_code).toBe(1000)
  t.advance(-year)
  expect((await sendInvitation(t.url, token, key)).response_code).toBe(4031)
})

test('a response that was stored by a clock that was ahead serves retries, and does not occupy its key for a year', async () => {
  await using t = await startTestApp()
  const key = { idempotencyKey: 'once' }
  const lunch = { name: 'Lunch', created_by: 1 }
  t.advance(year)
  await t.client.createTopic(lunch, key)
  t.advance(-year)
  await t.client.createTopic(lunch, key)
  expect((await t.client.listTopics({ offset: 0, limit: 9 })).NewsFeed).toHaveLength(1)
  expect(await make.codeOf(t.client.call('createTopic', { ...lunch, name: 'Dinner' }, key))).toBe(1000)
  t.advance(year)
  await t.client.createTopic(lunch, { idempotencyKey: 'ahead' })
  t.advance(-year)
  await deleteEnded(t.ctx)
  expect(await t.ctx.database.read.selectFrom('idempotency').select('key').execute()).toEqual([{ key: 'once' }])
})
