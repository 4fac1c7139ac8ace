import { expect, test } from 'vitest'
import { startAppWithKeys } from '../../test/access/app-with-keys.ts'
import { inviteAsParticipant, sendInvitation, signInAsParticipant } from '../../test/access/sessions.ts'
import { runSummitInProcess } from '../../test/command.ts'
import * as make from '../../test/make.ts'

test('an operator ends the sessions and the invitation of one participant, at once, and leaves keys and others', async () => {
  await using t = await startAppWithKeys('members')
  const phone = await signInAsParticipant(t, t.ana.participant)
  const laptop = await signInAsParticipant(t, t.ana.participant)
  const unused = await inviteAsParticipant(t, t.ana.participant)
  const ben = await signInAsParticipant(t, t.ben.participant)
  const { code, out, err } = await runSummitInProcess(['participant', 'sign-out', '1'], t.settings)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain(`All sessions and invitations of participant ${t.ana.participant} (Ana Cruz) have ended.\n`)
  for (const { client } of [phone, laptop]) expect(await make.codeOf(client.call('getMe', {}))).toBe(4010)
  expect((await sendInvitation(t.url, unused)).response_code).toBe(4031)
  for (const { client } of [ben, t.ana]) expect(await make.codeOf(client.call('getMe', {}))).toBe(1000)
})

test('a participant who does not exist is not signed out', async () => {
  await using t = await startAppWithKeys('members')
  expect(await runSummitInProcess(['participant', 'sign-out', '404'], t.settings)).toMatchObject({
    code: 1,
    err: expect.stringContaining('There is no participant 404.'),
  })
})
