import { describe, expect, test } from 'vitest'
import type { Sharing } from '../../src/contract/me.ts'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import { photoKey } from '../../src/server/domains/participants/photos.ts'
import { findPhotoBlobs, storeSharing } from '../../src/server/domains/participants/store.ts'
import { storePhoto } from '../contract/example-app.ts'
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

describe('the URL of an app', () => {
  /** A participant without a credential, whose profile the app may change. */
  const setUp = async (sharing: Partial<Sharing> = {}) => {
    const t = app()
    const id = (await make.participant(t, identity)) as ParticipantId
    const none = { email: 0, mobile_no: 0, employee_no: 0, is_hidden: 0 }
    await t.ctx.database.transaction((db) => storeSharing(db, { participant_id: id, ...none, ...toNumbers(sharing) }))
    const { client } = await t.issueAppUrl('change')
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

test('a participant who sends a profile back as the directory shows it clears none of their contacts', async () => {
  const t = app()
  const { participants } = await t.ben.client.listParticipants({ offset: 0, limit: 10 })
  const shown = make.only(participants.filter(({ id }) => id === String(t.ana.participant)))
  const { designation, employee_no, email, mobile_no, gender } = shown
  expect([employee_no, email, mobile_no]).toEqual(['', '', ''])
  const before = await storedRow()
  const senders = [t.ana, await t.issuePersonalUrl(t.ana.participant)]
  for (const { client } of senders) {
    const sent = { designation, employee_no, email, mobile_no, gender }
    const { participant } = await client.updateParticipant({ participantId: t.ana.participant, ...sent })
    const kept = { employee_no: 'E1', email: 'ana@summit.example', mobile_no: '+41 1' }
    expect(participant).toMatchObject(kept)
    expect(await storedRow()).toEqual({ ...before, modified_at: t.ctx.clock() })
  }
})

test('an app that may change records clears no contacts, and is shown none', async () => {
  const t = app()
  const contacts = { email: 'cleo@summit.example', employee_no: 'E3', mobile_no: '+41 3' }
  const cleo = await make.participant(t, { first_name: 'Cleo', ...contacts })
  const { client } = await t.issueAppUrl('change')
  const empty = { email: '', employee_no: '', mobile_no: '' }
  for (const sent of [{}, empty]) {
    const update = { participantId: cleo, designation: 'Chef', ...sent }
    const { envelope, text } = await client.call('updateParticipant', update)
    expect(envelope).toMatchObject({ response_code: 1000, data: { participant: { designation: 'Chef', ...empty } } })
    for (const contact of Object.values(contacts)) expect(text).not.toContain(contact)
  }
  const row = t.ctx.database.read
    .selectFrom('participant')
    .selectAll()
    .where('id', '=', cleo as ParticipantId)
  expect(await row.executeTakeFirst()).toMatchObject(contacts)
})

test('a participant changes their number, and clears it', async () => {
  const { ben } = app()
  const present = async () => (await ben.client.getMe({})).me.participant
  const before = await present()
  for (const mobile_no of ['+41 4', '']) {
    const { participant } = await ben.client.updateMe({ mobile_no })
    expect(participant).toEqual({ ...before, mobile_no, modified_at: participant.modified_at })
    expect(await present()).toEqual(participant)
  }
})

test.each([
  ['email', { email: 'ben@summit.example', gender: 'F' }],
  ['employee_no', { employee_no: 'E2', gender: 'F' }],
])('a participant who changes %s with their profile gets 4030 with the field', async (field, members) => {
  const { ana } = app()
  const before = await storedRow()
  const { envelope } = await ana.client.call('updateMe', members)
  const fields = [{ field, in: 'body' }]
  expect(envelope).toMatchObject({ response_code: 4030, data: { reason: 'FORBIDDEN', fields } })
  expect(await storedRow()).toEqual(before)
})

test('a participant sends the whole profile back as they have read it, or the reserved members empty', async () => {
  const { ana } = app()
  const { participant: read } = (await ana.client.getMe({})).me
  const designation = `Engineer ${Math.random()}`
  const { participant } = await ana.client.updateMe({ ...read, designation })
  expect(participant).toEqual({ ...read, designation, modified_at: participant.modified_at })
  expect((await ana.client.updateMe({ email: '', employee_no: '' })).participant).toMatchObject(identity)
})

test('a change of a profile is logged as one of that participant, with the key of its sender', async () => {
  const t = app()
  await t.ben.client.updateMe({ gender: 'M' })
  await t.ben.client.updateParticipant({ participantId: t.ben.participant, gender: '' })
  await t.owner.client.updateParticipant({ participantId: t.ben.participant, gender: 'M' })
  const changes = t.ctx.database.read.selectFrom('change').select(['kind', 'record_id', 'credential_id'])
  const logged = (credential_id: number) => ({
    kind: 'participant.updated',
    record_id: t.ben.participant,
    credential_id,
  })
  expect(await changes.orderBy('id', 'desc').limit(3).execute()).toEqual(
    [t.owner.id, t.ben.id, t.ben.id].map((id) => logged(id)),
  )
})

test('the imported photo of a participant is not preserved by another one who names it', async () => {
  const t = app()
  const photo = await storePhoto(t, t.ana.participant)
  const preserved = () => findPhotoBlobs(t.ctx.database.read, [photoKey(photo)])
  expect(await preserved()).toEqual([photoKey(photo)])
  await t.ana.client.updateMe({ photo: '' })
  await t.ben.client.updateMe({ photo })
  expect(await preserved()).toEqual([])
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
