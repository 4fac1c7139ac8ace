import { expect, test } from 'vitest'
import { setUpSharedAppWithKeys } from './app-with-keys.ts'

const app = setUpSharedAppWithKeys('members')

const identity = { email: 'ana@summit.example', employee_no: 'E1' }

test.each([
  ['email', { email: 'ben@summit.example' }, ['email']],
  ['employee_no', { employee_no: 'E2' }, ['employee_no']],
  ['an address that differs by a capital', { email: 'Ana@summit.example' }, ['email']],
  ['a space, which is not empty', { email: ' ' }, ['email']],
  ['both, among others', { ...{ email: 'x', employee_no: 'y' }, designation: 'CEO' }, ['email', 'employee_no']],
])('a participant who changes %s in their own record gets 4030 with the field', async (_, members, fields) => {
  const { ana } = app()
  const before = await storedRow()
  const { envelope } = await ana.client.call('updateParticipant', { participantId: ana.participant, ...members })
  expect(envelope).toMatchObject({
    response_code: 4030,
    data: { reason: 'FORBIDDEN', fields: fields.map((field) => ({ field, in: 'body' })) },
  })
  expect(await storedRow()).toEqual(before)
})

test.each([
  ['as they read it from the update', identity],
  ['empty, as the directory shows it', { email: '', employee_no: '' }],
  ['one as stored and the other empty', { ...identity, employee_no: '' }],
  ['not at all', {}],
])('a participant who sends e-mail and employee number %s keeps them', async (_, members) => {
  const { ana } = app()
  const designation = `Engineer ${Math.random()}`
  const { participant } = await ana.client.updateParticipant({
    participantId: ana.participant,
    designation,
    ...members,
  })
  expect(participant).toMatchObject({ ...identity, designation })
  expect(await storedRow()).toMatchObject({ ...identity, designation })
})

test('an editor changes them, and clears them', async () => {
  const t = app()
  const editor = await t.issueKey({ roles: ['editor'] })
  const update = (members: object) => editor.client.updateParticipant({ participantId: t.ben.participant, ...members })
  expect((await update({ email: 'ben@new.example' })).participant.email).toBe('ben@new.example')
  expect((await update({ email: '' })).participant.email).toBe('')
})

const storedRow = () => {
  const { ctx, ana } = app()
  const row = ctx.database.read.selectFrom('participant').selectAll().where('id', '=', ana.participant)
  return row.executeTakeFirstOrThrow()
}
