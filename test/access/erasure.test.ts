import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runSummitInProcess } from '../command.ts'
import * as make from '../make.ts'
import { type AppWithKeys, startAppWithKeys } from './app-with-keys.ts'
import { blockLedger, expectErased } from './erasure.ts'

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

test('nobody is erased while the ledger cannot be written, nor by a command', async () => {
  await using t = await startAppWithKeys('members')
  const { client, participant } = t.ana
  const unblock = await blockLedger(t)
  const confirmed = { participant_id: participant }
  expect(await make.codeOf(client.call('eraseOwnData', confirmed))).toBe(5030)
  const forget = () => runSummitInProcess(['participant', 'forget', String(participant), '--apply'], t.settings)
  expect(await forget()).toMatchObject({ code: 1, err: expect.stringContaining('Nothing was changed') })
  expect((await client.getMe({})).me.participant?.id).toBe(String(participant))
  await unblock()
  expect(await make.codeOf(client.call('eraseOwnData', confirmed))).toBe(1000)
  expect(await readFile(join(t.dataDir, 'ledger'), 'utf8')).toContain('"participant.forgotten"')
})
