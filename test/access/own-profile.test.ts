import { describe, expect, test } from 'vitest'
import type { Sharing } from '../../src/contract/me.ts'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import { storeSharing } from '../../src/server/participants/sharing-store.ts'
import * as make from '../make.ts'
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

describe('the address of an app', () => {
  /** A participant without a credential, whose profile the app may change. */
  const setUp = async (sharing: Partial<Sharing> = {}) => {
    const t = app()
    const id = (await make.participant(t, identity)) as ParticipantId
    const none = { email: 0, mobile_no: 0, employee_no: 0, is_hidden: 0 }
    await t.ctx.database.transaction((db) => storeSharing(db, { participant_id: id, ...none, ...toNumbers(sharing) }))
    const { client } = await t.issueAppAddress('change')
    return async (members: object) => {
      const { response_code, data } = (await client.call('updateParticipant', { participantId: id, ...members }))
        .envelope
      return { response_code, fields: 'fields' in data ? data.fields.map(({ field }) => field) : [] }
    }
  }
  const toNumbers = (sharing: Partial<Sharing>) =>
    Object.fromEntries(Object.entries(sharing).map(([name, shows]) => [name, Number(shows)]))
  const saved = { response_code: 1000, fields: [] }
  const refused = (...fields: string[]) => ({ response_code: 4030, fields })

  test('gets the same response to a right and to a wrong guess of e-mail and employee number', async () => {
    for (const sharing of [{}, { email: true, employee_no: true, is_hidden: true }]) {
      const update = await setUp(sharing)
      for (const email of [identity.email, 'other@summit.example']) {
        expect(await update({ email })).toEqual(refused('email'))
        for (const employee_no of [identity.employee_no, 'E2'])
          expect(await update({ email, employee_no })).toEqual(refused('email', 'employee_no'))
      }
      expect(await update({ email: '', employee_no: '', designation: 'CEO' })).toEqual(saved)
    }
  })

  test('may send back what the directory shows', async () => {
    const update = await setUp({ email: true })
    expect(await update({ email: identity.email, employee_no: '' })).toEqual(saved)
    expect(await update({ email: 'other@summit.example' })).toEqual(refused('email'))
    expect(await update({ email: identity.email, employee_no: identity.employee_no })).toEqual(refused('employee_no'))
  })
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
