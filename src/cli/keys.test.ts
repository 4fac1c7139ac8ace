import { expect, test } from 'vitest'
import { setLogin } from '../../test/access/codes.ts'
import { members } from '../../test/access/login-emails.ts'
import { signInAsParticipant } from '../../test/access/sessions.ts'
import { startTestApp } from '../../test/app.ts'
import { runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'
import { createClient } from '../client/client.ts'
import type { ParticipantId } from '../server/core/ids.ts'

test('an operator creates a key for a participant, who posts with it until it is revoked', async () => {
  await using t = await startTestApp(members)
  await setLogin(t, (await make.participant(t)) as ParticipantId, 'ana@x.org')
  const run = (...args: string[]) => runSummitInProcess(['key', ...args], { ...t.settings, ...members })

  const created = await run('create', 'phone of Ana', '--participant', 'Ana@X.org')
  expect(created).toMatchObject({ code: 0, err: '' })
  expect(created.out).toContain('Key 1, “phone of Ana”, for participant 1 (Ana Cruz):\n')
  const [secret = ''] = /smt_\S{43}/.exec(created.out) ?? []
  const client = createClient(t.url, { headers: { authorization: `Bearer ${secret}` } })
  const { NewsFeed } = await client.createTopic({ name: 'Hello', created_by: 1 })
  expect(make.only(NewsFeed).author).toMatchObject({ id: '1', name: 'Ana Cruz' })

  // Uses are stored after a second.
  await expect.poll(async () => (await run('list')).out).not.toContain('never used')
  const listed = await run('list')
  expect(listed.out).toMatch(
    /^1 key\n {4}1 {2}phone of Ana {2}participant 1 {2}created .* {2}last used 2030-05-01 09h {2}1 change\n$/,
  )
  expect(listed.out).not.toContain(secret)
  // A session is not listed as a key.
  await signInAsParticipant(t, 1 as ParticipantId)
  expect((await run('list')).out).toMatch(/^1 key\n/)
  expect(await run('revoke', '1')).toMatchObject({ code: 0, out: 'Key 1 is revoked.\n' })
  expect((await client.call('listTopics', { offset: 0, limit: 1 })).envelope).toMatchObject({
    response_code: 4010,
    data: { reason: 'UNAUTHENTICATED' },
  })
  expect((await run('list')).out).toContain('REVOKED')
  expect(await run('revoke', '1')).toMatchObject({ code: 1, err: 'There is no unrevoked key 1.\n' })
})

test('a key of an organizer has roles, and may expire', async () => {
  await using t = await startTestApp(members)
  const run = (...args: string[]) => runSummitInProcess(['key', ...args], { ...t.settings, ...members })
  const { out } = await run('create', 'desk tool', '--role', 'desk,moderator', '--expires-in', '90d')
  expect(out).toContain('for an organizer with the roles moderator, desk:\n')
  expect((await run('list')).out).toMatch(/desk tool {2}organizer {2}moderator,desk .* {2}expires \d{4}-/)
})

test.each([
  [['create', 'nobody'], 'Specify whose key it is'],
  [['create', ' ', '--role', 'owner'], 'The label is empty.'],
  [['create', 'x', '--participant', '7'], 'There is no participant 7.'],
  [
    ['create', 'x', '--participant', 'no@x.org'],
    '“no@x.org” is neither the id of a participant nor the address with which one signs in.',
  ],
  [['create', 'x', '--app', '--role', 'owner'], '--app cannot be combined with --participant or --role'],
  [['create', 'x', '--app', '--participant', '1'], '--app cannot be combined with --participant or --role'],
  [['create', 'x', '--role', 'owner', '--may-change'], '--may-change requires --app'],
  [['create', 'x', '--role', 'boss'], 'There is no role “boss”: the roles are owner, '],
  [['create', 'x', '--role', 'owner', '--expires-in', 'soon'], '“soon” is not a number of days from 1d to 9999d.'],
])('creates no key from %j', async (args, message) => {
  await using t = await startTestApp(members)
  const { code, err } = await runSummitInProcess(['key', ...args], { ...t.settings, ...members })
  expect([code, err]).toEqual([1, expect.stringContaining(message)])
  expect((await runSummitInProcess(['key', 'list'], t.settings)).out).toBe('0 keys\n')
})
