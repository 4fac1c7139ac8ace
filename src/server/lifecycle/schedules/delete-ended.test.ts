import { expect, test } from 'vitest'
import { startAppWithKeys } from '../../../../test/access/app-with-keys.ts'
import { inviteAsParticipant } from '../../../../test/access/sessions.ts'
import { dayMs, hourMs } from '../../core/time-units.ts'
import { deleteIfSteady } from './delete-ended.ts'
import { newLog } from './retention.fixtures.ts'

test('what has ended only by a clock that jumped is not deleted for a day, and not once the clock is set back', async () => {
  await using t = await startAppWithKeys('members')
  for (let nth = 0; nth < 2; nth++) await inviteAsParticipant(t, t.ana.participant)
  const ofAna = t.ctx.database.read.selectFrom('credential').select('id').where('kind', '=', 'invitation')
  const invitations = async () => (await ofAna.where('participant_id', '=', t.ana.participant).execute()).length
  const log = newLog()
  const deleteAfter = async (ms: number) => {
    t.advance(ms)
    await deleteIfSteady(t.ctx, log)
    return invitations()
  }
  expect(await deleteAfter(365 * dayMs)).toBe(2)
  expect(await deleteAfter(23 * hourMs)).toBe(2)
  expect(await deleteAfter(-364 * dayMs)).toBe(2)
  expect(log.messages.map((message) => message.replace(/; if it is wrong.*/, ''))).toEqual([
    'no server is known to have run since 2030-05-01T09:00:00.000Z, or the clock was set forward to 2031-05-01T09:00:00.000Z',
    'the clock was set back: it showed 2031-05-02T08:00:00.000Z at the last look, and shows 2030-05-03T08:00:00.000Z',
  ])
  for (let day = 0; day < 28; day++) expect(await deleteAfter(dayMs)).toBe(2)
  expect(await deleteAfter(dayMs)).toBe(1)
})

test.each([
  ['back', -2 * hourMs, '2030-05-01T10:30:00.000Z'],
  ['forward', 2 * hourMs, '2030-05-01T14:30:00.000Z'],
])('a clock that is set %s between two looks is reported as such', async (direction, ms, shown) => {
  await using t = await startAppWithKeys('members')
  const log = newLog()
  await deleteIfSteady(t.ctx, log)
  t.advance(3.5 * hourMs)
  t.setClock(ms)
  await deleteIfSteady(t.ctx, log)
  expect(log.messages.map((message) => message.replace(/; if it is wrong.*/, ''))).toEqual([
    `the clock was set ${direction}: it showed 2030-05-01T09:00:00.000Z at the last look, and shows ${shown}`,
  ])
})
