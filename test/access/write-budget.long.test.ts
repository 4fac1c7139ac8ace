import { expect, test } from 'vitest'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import * as make from '../make.ts'
import { sendRawRequests } from '../send-raw-requests.ts'
import { startAppWithKeys } from './app-with-keys.ts'
import { signInAsOrganizer, signInAsParticipant } from './sessions.ts'
import { all, post, type Sender, second, settings, successes, tooMany } from './write-budget.fixtures.ts'

test('a participant has one budget for every kind of write, in all sessions, keys and secret URLs', async () => {
  await using t = await startAppWithKeys('members', settings)
  const id = t.ana.participant
  const session = await signInAsParticipant(t, id)
  const personal = await t.issuePersonalUrl(id)
  await post(1, t.ana)
  await post(1, session)
  const { client } = personal
  const codes = [
    await make.codeOf(client.call('createComment', { topic_id: 1, comment: 'Me too', created_by: id })),
    await make.codeOf(client.call('likeTopic', { topic_id: 1, created_by: id })),
    await make.codeOf(client.call('addFeedback', { created_by: id, comments: 'Fine' })),
    await make.codeOf(client.call('updateParticipant', { participantId: id, designation: 'Chef' })),
    await make.codeOf(client.call('updateTopic', { topic_id: 1, name: 'Dinner' })),
    await make.codeOf(client.call('unlikeTopic', { topic_id: 1, participant_id: id })),
    await make.codeOf(client.call('deleteTopic', { topic_id: 1 })),
  ]
  expect(codes).toEqual([1000, 1000, 1000, 1000, tooMany, tooMany, tooMany])
  expect([...(await post(1, t.ana)), ...(await post(1, session))]).toEqual([tooMany, tooMany])
})

test('somebody who floods with a stolen URL does not keep its owner from revoking it', async () => {
  await using t = await startAppWithKeys('members', settings)
  const stolen = await t.issuePersonalUrl(t.ana.participant)
  const session = await signInAsParticipant(t, t.ana.participant)
  expect((await post(7, stolen)).at(-1)).toBe(tooMany)
  expect(await make.codeOf(session.client.call('revokeCredential', { credential_id: stolen.id }))).toBe(2000)
  expect(await post(1, stolen)).toEqual([4010])
})

test('what people change about themselves has a budget for each session, and signing out has none', async () => {
  await using t = await startAppWithKeys('members', settings)
  const first = await signInAsParticipant(t, t.ana.participant)
  const other = await signInAsParticipant(t, t.ana.participant)
  const share = ({ client }: Sender) => make.codeOf(client.call('updateSharing', {}))
  for (let n = 0; n < 6; n++) await share(first)
  expect([await share(first), await share(other)]).toEqual([tooMany, 1000])
  expect(await post(1, first)).toEqual([1000])
  expect(await make.codeOf(first.client.call('signOut', {}))).toBe(1000)
})

test('organizers and scripts with a role write as fast as they can', async () => {
  await using t = await startAppWithKeys('members', settings)
  const moderator = await t.issueKey({ roles: ['moderator'] })
  const both = await t.issueKey({ participant: t.ana.participant, roles: ['editor'] })
  const organizer = await signInAsOrganizer(t, 'eva@summit.example', ['moderator'])
  expect(await post(20, moderator, t.ben.participant)).toEqual(all(20, 1000))
  expect(await post(20, organizer, t.ben.participant)).toEqual(all(20, 1000))
  expect(await post(20, both)).toEqual(all(20, 1000))
  expect(await post(1, t.ben)).toEqual([1000])
})

test('a write beyond the budget is refused before its body is read', async () => {
  await using t = await startAppWithKeys('members', settings)
  await post(6, t.ana)
  const head = [
    'POST /api/newsfeeds/topics/create HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: ${t.ana.headers.authorization}`,
    'Content-Type: application/json',
    'Content-Length: 1000000',
    'Expect: 100-continue',
    'Connection: close',
  ]
  const response = await sendRawRequests(t, `${head.join('\r\n')}\r\n\r\n`)
  expect(response).toContain('TOO_MANY_WRITES')
  expect(response).not.toContain('100 Continue')
})

test('each user of an app has a budget, and all users together fifty', async () => {
  await using t = await startAppWithKeys('members', settings)
  const app = await t.issueAppUrl()
  const people: ParticipantId[] = []
  for (let n = 0; n < 60; n++) people.push((await make.participant(t, { email: `${n}@x.example` })) as ParticipantId)
  expect(await post(8, app, people[0])).toEqual([...all(6, 1000), tooMany, tooMany])
  const others: number[] = []
  for (const person of people.slice(1)) others.push(...(await post(6, app, person)))
  expect(successes(others)).toBe(50 * 6 - 6)
  const refused = await app.client.call('createTopic', { name: 'x', created_by: people[0] as number })
  expect([refused.envelope.response_code, refused.headers.get('retry-after')]).toEqual([tooMany, '1'])
  expect(await post(1, await t.issueAppUrl(), people[59])).toEqual([1000])
})

test('a repeated write of an app takes nothing from the budget of its user', async () => {
  await using t = await startAppWithKeys('members', settings)
  const app = await t.issueAppUrl()
  const created_by = (await make.participant(t, { email: 'cleo@x.example' })) as ParticipantId
  for (let n = 0; n < 10; n++) {
    const repeated = app.client.call('createTopic', { name: 'Lunch', created_by }, { idempotencyKey: 'lunch' })
    expect(await make.codeOf(repeated)).toBe(1000)
  }
  expect(await post(6, app, created_by)).toEqual([...all(5, 1000), tooMany])
})

test('an app that names somebody who has a key takes nothing from their budget', async () => {
  await using t = await startAppWithKeys('members', settings)
  const app = await t.issueAppUrl()
  expect(successes(await post(10, app, t.ana.participant))).toBe(0)
  expect(await post(6, t.ana)).toEqual(all(6, 1000))
})

test('a clock that is set back locks nobody out', async () => {
  await using t = await startAppWithKeys('members', settings)
  await post(6, t.ana)
  t.advance(-24 * 60 * 60 * second)
  expect(await post(7, t.ana)).toEqual([...all(6, 1000), tooMany])
})
