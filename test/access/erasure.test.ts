import { expect, test } from 'vitest'
import { runSummitInProcess } from '../command.ts'
import * as make from '../make.ts'
import { type AppWithKeys, startAppWithKeys } from './app-with-keys.ts'
import { expectErased, importPeople } from './erasure.ts'

// Participants erase themselves. What is theirs contains this word everywhere, and nothing else does.

test('with ERASE_POSTS=delete nothing personal is left in rows, responses, exports and files', () =>
  expectErased('delete'))

test.each([
  ['another id', (t: AppWithKeys) => ({ participant_id: t.ben.participant }), 'NOT_CONFIRMED'],
  ['no id', () => ({}), 'REQUIRED'],
])('without a confirmation, as by %s, nothing is erased', async (_, body, reason) => {
  await using t = await startAppWithKeys('members')
  const { data } = await make.send(t, 'POST', '/api/me/erasure', JSON.stringify(body(t)), t.ana.headers)
  expect(data).toMatchObject({ reason: 'VALIDATION_FAILED', fields: [{ field: 'participant_id', reason }] })
  expect((await t.ana.client.getMe({})).me.participant?.email).toBe('ana@summit.example')
})

test('an organizer who is not a participant has nothing to erase', async () => {
  await using t = await startAppWithKeys('members')
  expect(await make.codeOf(t.owner.client.call('planErasure', {}))).toBe(4040)
  expect(await make.codeOf(t.owner.client.call('eraseOwnData', { participant_id: 1 }))).toBe(4040)
})

test('an import that is undone does not bring back a participant who was erased', async () => {
  await using t = await startAppWithKeys('members')
  await importPeople(t, 'first_name,last_name,email,designation\nAna,Cruz,ana@summit.example,Of imports\n')
  await t.ana.client.eraseOwnData({ participant_id: t.ana.participant })
  await runSummitInProcess(['import', 'undo', '1', '--apply'], t.settings)
  const { participants } = await t.owner.client.listParticipants({ offset: 0, limit: 9 })
  expect(participants.map(({ full_name }) => full_name)).toEqual(['Ben Cruz'])
})
