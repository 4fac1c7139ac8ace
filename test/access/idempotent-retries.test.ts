import { expect, test } from 'vitest'
import { replayedHeader } from '../../src/server/http/idempotency.fixtures.ts'
import * as make from '../make.ts'
import { type KeyHolder, startAppWithKeys } from './app-with-keys.ts'

const lunchOf = ({ participant }: KeyHolder) => ({ name: 'Lunch is served', created_by: participant })
const key = { idempotencyKey: '3f0a-41' }

test('the same Idempotency-Key of two people is two writes, and of two organizers', async () => {
  await using t = await startAppWithKeys('members')
  const editor = await t.issueKey({ roles: ['moderator'] })
  const responses = [
    await t.ana.client.call('createTopic', lunchOf(t.ana), key),
    await t.ben.client.call('createTopic', lunchOf(t.ben), key),
    await t.owner.client.call('createTopic', lunchOf(t.owner), key),
    await editor.client.call('createTopic', lunchOf(t.owner), key),
  ]
  expect(responses.map(({ envelope }) => envelope.response_code)).toEqual([1000, 1000, 1000, 1000])
  expect(responses.map(replayedHeader)).toEqual([null, null, null, null])
  expect((await t.ana.client.listTopics({ offset: 0, limit: 10 })).NewsFeed).toHaveLength(4)
})

test('a retry by the same participant with another key of theirs gets the first response', async () => {
  await using t = await startAppWithKeys('members')
  const tablet = await t.issueKey({ participant: t.ana.participant })
  const first = await t.ana.client.call('createTopic', lunchOf(t.ana), key)
  const second = await tablet.client.call('createTopic', lunchOf(t.ana), key)
  expect(replayedHeader(second)).toBe('true')
  expect(second.envelope.data).toEqual(first.envelope.data)
  // Left out or given, the author is the same.
  const headers = { ...tablet.headers, 'idempotency-key': key.idempotencyKey }
  const third = await make.send(t, 'POST', '/api/newsfeeds/topics/create', '{"name":"Lunch is served"}', headers)
  expect([replayedHeader(third), third.data]).toEqual(['true', first.envelope.data])
})

test('a retry without the role of the first request gets no response of it', async () => {
  await using t = await startAppWithKeys('members')
  const editor = await t.issueKey({ participant: t.ana.participant, roles: ['editor'] })
  const update = { participantId: t.ben.participant, designation: 'Speaker' }
  const { envelope } = await editor.client.call('updateParticipant', update, key)
  expect(envelope).toMatchObject({ data: { participant: { email: 'ben@summit.example' } } })
  const retry = await t.ana.client.call('updateParticipant', update, key)
  expect(retry.envelope).toMatchObject({ response_code: 4030, data: { reason: 'FORBIDDEN' } })
  expect(retry.text).not.toContain('ben@summit.example')
})

test('a retry after somebody else has erased themselves gets the first response, unless it shows them', async () => {
  await using t = await startAppWithKeys('members')
  const dinner = { name: 'Dinner is served', created_by: t.ana.participant }
  const anas = make.only((await t.ana.client.createTopic(dinner, { idempotencyKey: 'dinner' })).NewsFeed)
  const like = { topic_id: Number(anas.id), created_by: t.ben.participant }
  await t.ben.client.likeTopic(like, { idempotencyKey: 'like' })
  await t.owner.client.updateParticipant(
    { participantId: t.ana.participant, designation: 'Chef' },
    { idempotencyKey: 'profile' },
  )
  await t.owner.client.addFeedback(
    { participant_id: t.ana.participant, comments: 'Nice' },
    { idempotencyKey: 'feedback' },
  )
  await t.ben.client.createTopic(lunchOf(t.ben), key)
  await t.ana.client.eraseOwnData({ participant_id: t.ana.participant }, { idempotencyKey: 'erase' })
  const stored = await t.ctx.database.read.selectFrom('idempotency').selectAll().execute()
  expect(stored.map((row) => row.key)).toEqual([`participant ${t.ben.participant} ${key.idempotencyKey}`])
  const retry = await t.ben.client.call('createTopic', lunchOf(t.ben), key)
  expect(replayedHeader(retry)).toBe('true')
  expect((await t.ben.client.listTopics({ offset: 0, limit: 10 })).NewsFeed).toHaveLength(1)
})
