import { describe, expect, test } from 'vitest'
import { Settings } from '../../src/server/config/settings.ts'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import { startTestApp } from '../app.ts'
import * as make from '../make.ts'
import { sendRawRequests } from '../send-raw-requests.ts'
import { type KeyHolder, startAppWithKeys } from './app-with-keys.ts'
import { signInAsOrganizer, signInAsParticipant } from './sessions.ts'

/** Six at once, then one every ten seconds. */
const settings = { WRITES_PER_MINUTE: '6' }
const tooMany = 4290
const second = 1000

type Sender = Pick<KeyHolder, 'client'>

/** Posts topics one after the other. @returns the code of each response */
async function post(count: number, { client }: Sender, created_by?: ParticipantId): Promise<number[]> {
  const codes: number[] = []
  for (let n = 0; n < count; n++)
    codes.push(
      await make.codeOf(client.call('createTopic', { name: `Topic ${n}`, ...(created_by && { created_by }) } as never)),
    )
  return codes
}

const all = (count: number, code: number): number[] => Array<number>(count).fill(code)
const successes = (codes: number[]): number => codes.filter((code) => code === 1000).length

describe.each(['public', 'members'] as const)('where ACCESS is %s, a participant who writes too fast', (access) => {
  test('gets 4290 with the time until the next write, while they read, and others write', async () => {
    await using t = await startAppWithKeys(access, settings)
    expect(await post(8, t.ana)).toEqual([...all(6, 1000), tooMany, tooMany])
    const refused = await t.ana.client.call('createTopic', { name: 'x' } as never)
    expect(refused.envelope.data).toMatchObject({ reason: 'TOO_MANY_WRITES' })
    expect(refused.headers.get('retry-after')).toBe('10')
    t.advance(4 * second)
    const again = await t.ana.client.call('likeTopic', { topic_id: 1, created_by: t.ana.participant })
    expect([again.envelope.response_code, again.headers.get('retry-after')]).toEqual([tooMany, '6'])
    expect((await t.ana.client.listTopics({ offset: 0, limit: 10 })).NewsFeed).toHaveLength(6)
    expect(await post(1, t.ben)).toEqual([1000])
    t.advance(6 * second)
    expect(await post(2, t.ana)).toEqual([1000, tooMany])
  })
})

test('with the default a participant posts sixty topics at once, and one each second from then on', async () => {
  const { default: WRITES_PER_MINUTE } = { default: undefined, ...Settings.properties.WRITES_PER_MINUTE }
  await using t = await startAppWithKeys('members', { WRITES_PER_MINUTE: String(WRITES_PER_MINUTE) })
  expect(successes(await post(70, t.ana))).toBe(60)
  t.advance(3 * second)
  expect(successes(await post(10, t.ana))).toBe(3)
  t.advance(60 * 60 * second)
  expect(successes(await post(70, t.ana))).toBe(60)
})

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

test('anyone writes as fast as they can where ACCESS is open, and where the budget is 0', async () => {
  await using open = await startTestApp({ ...settings, ACCESS: 'open' })
  const ana = (await make.participant(open)) as ParticipantId
  expect(await post(20, open, ana)).toEqual(all(20, 1000))
  await using t = await startAppWithKeys('members', { WRITES_PER_MINUTE: '0' })
  expect(await post(100, t.ana)).toEqual(all(100, 1000))
})

test('a repeated write takes nothing from the budget, and a rejected one does', async () => {
  await using t = await startAppWithKeys('members', settings)
  const repeated = { name: 'Lunch' } as never
  for (let n = 0; n < 10; n++)
    expect(await make.codeOf(t.ana.client.call('createTopic', repeated, { idempotencyKey: 'lunch' }))).toBe(1000)
  const invalid = await make.codeOf(t.ana.client.call('createTopic', { name: '' } as never))
  expect([invalid, ...(await post(5, t.ana))]).toEqual([4220, ...all(4, 1000), tooMany])
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
