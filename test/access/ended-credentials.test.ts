import { expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { deleteEndedCredentials } from '../../src/server/auth/credentials.ts'
import { scanEntries } from '../../src/server/log/ledger/entries.ts'
import { startOtherServer, type TestApp } from '../app.ts'
import { runSummitInProcess } from '../command.ts'
import * as make from '../make.ts'
import { startAppWithKeys } from './app-with-keys.ts'
import { inviteAsParticipant, type SignedIn, signInAsOrganizer, signInAsParticipant } from './sessions.ts'

// Sessions and invitations that ended long ago are deleted, and nothing that depends on them changes.

const day = 24 * 60 * 60 * 1000
const AUDIT_KEY = 'a1'.repeat(32)
const eva = 'eva@summit.example'

const rowsOf = ({ ctx }: TestApp, kind: string) =>
  ctx.database.read.selectFrom('credential').selectAll().where('kind', '=', kind).orderBy('id').execute()

const codeOf = ({ client }: Pick<SignedIn, 'client'>) => make.codeOf(client.call('getMe', {}))

test('invitations and sessions of participants that ended 30 days ago are deleted, but for the newest of each holder', async () => {
  await using t = await startAppWithKeys('members')
  const { participant } = t.ana
  const signedOut = await signInAsParticipant(t, participant)
  await signedOut.client.signOut({})
  await signInAsParticipant(t, participant)
  const used = await signInAsParticipant(t, participant)
  await inviteAsParticipant(t, participant)
  for (let nth = 0; nth < 3; nth++) await signInAsOrganizer(t, eva, ['owner'])
  const before = [...(await rowsOf(t, 'session')), ...(await rowsOf(t, 'invitation'))].map(({ id }) => id)

  t.advance(30 * day - 1)
  await deleteEndedCredentials(t.ctx)
  expect(before).toHaveLength(6 + 7)
  expect(await rowsOf(t, 'session')).toHaveLength(6)
  expect(await codeOf(used)).toBe(1000)
  t.advance(1)
  await deleteEndedCredentials(t.ctx)
  // Signed out; each invitation that was redeemed, but for the newest.
  expect(await rowsOf(t, 'session')).toHaveLength(5)
  expect((await rowsOf(t, 'invitation')).map(({ participant_id }) => participant_id)).toEqual([participant, 0])
  // The other session of Ana was not used for 30 days before that. Those of Eva stay, as they identify her in the log.
  t.advance(30 * day)
  await deleteEndedCredentials(t.ctx)
  expect((await rowsOf(t, 'session')).map(({ participant_id }) => participant_id)).toEqual([participant, 0, 0, 0])
  // Keys that operators have created stay.
  expect(await rowsOf(t, 'bearer')).toHaveLength(3)
  expect(await codeOf(t.ana)).toBe(1000)
})

test('rights that depend on an earlier sign-in stay as they are', async () => {
  await using t = await startAppWithKeys('members', { AUDIT_KEY })
  await using other = await startOtherServer(t)
  const someone = (await make.participant(t)) as typeof t.ana.participant
  const sessions = [await signInAsParticipant(t, someone), await signInAsParticipant(t, someone)]
  for (let nth = 0; nth < 2; nth++) sessions.push(await signInAsOrganizer(t, eva, ['owner']))
  const elsewhere = sessions.map(({ headers }) => ({ client: createClient(other.url, { headers }) }))
  await sessions[2]?.client.createTopic({ name: 'Welcome', created_by: 0 })
  for (const { client } of elsewhere) await client.call('signOut', {})
  const app = await t.issueAppUrl()
  const position = await t.ctx.database.position()

  t.advance(300 * day)
  await deleteEndedCredentials(t.ctx)
  expect(await rowsOf(t, 'session')).toHaveLength(3)
  for (const session of [...sessions, ...elsewhere]) expect(await codeOf(session)).toBe(4010)
  // A participant who has signed in does not fall back to the URL of an app, and an owner is still the last one.
  expect(await make.codeOf(app.client.call('createTopic', { name: 'Lunch', created_by: someone }))).toBe(4030)
  expect(await make.codeOf(t.owner.client.call('removeOrganizer', { organizer_id: 1 }))).toBe(4090)
  expect(await scanEntries(t.ctx.database.read, 0, position.id)).toEqual([])
  const audit = (...args: string[]) => runSummitInProcess(['audit', ...args], { ...t.settings, AUDIT_KEY })
  expect(await audit('verify')).toMatchObject({ code: 0, err: '' })
  expect((await audit('list', '--organizer', '1')).out).toContain('topic.created')
})
