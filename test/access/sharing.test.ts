import { beforeEach, expect, test } from 'vitest'
import { forgetParticipant } from '../../src/server/domains/privacy/forget-participant.ts'
import { commandScope } from '../../src/server/scope.ts'
import { startTestApp } from '../app.ts'
import * as make from '../make.ts'
import { type AppWithKeys, type KeyHolder, startAppWithKeys, withKeys } from './app-with-keys.ts'

// Participants choose what the directory shows of them to others.

let t: AppWithKeys

beforeEach(async () => {
  t = await startAppWithKeys('members')
  return () => t[Symbol.asyncDispose]()
})

const nothing = { email: false, mobile_no: false, employee_no: false, is_hidden: false }
const contacts = { email: 'ana@summit.example', mobile_no: '+41 1', employee_no: 'E1' }

const directory = async ({ client }: KeyHolder, offset = 0, limit = 100) =>
  (await client.listParticipants({ offset, limit })).participants

const anaAsSeenBy = async (holder: KeyHolder) =>
  make.only((await directory(holder)).filter(({ id }) => id === String(t.ana.participant)))

test('nothing is shared until it is chosen', async () => {
  expect((await t.ana.client.getMe({})).me.sharing).toEqual(nothing)
  expect(await anaAsSeenBy(t.ben)).toMatchObject({ email: '', mobile_no: '', employee_no: '' })
})

test.each(['email', 'mobile_no', 'employee_no'] as const)(
  'a participant shares %s alone, and withdraws it again',
  async (field) => {
    await directory(t.ben)
    const { sharing } = await t.ana.client.updateSharing({ [field]: true })
    expect(sharing).toEqual({ ...nothing, [field]: true })
    const none = { email: '', mobile_no: '', employee_no: '' }
    expect(await anaAsSeenBy(t.ben)).toMatchObject({ ...none, [field]: contacts[field] })
    expect((await t.ana.client.getMe({})).me.sharing).toEqual(sharing)
    const ben = (await directory(t.ana)).find(({ id }) => id === String(t.ben.participant))
    expect(ben).toMatchObject(none)
    await t.ana.client.updateSharing({ [field]: false })
    expect(await anaAsSeenBy(t.ben)).toMatchObject(none)
  },
)

test('a choice that is left out stays as it is', async () => {
  await t.ana.client.updateSharing({ email: true, is_hidden: true })
  const { sharing } = await t.ana.client.updateSharing({ mobile_no: true, is_hidden: false })
  expect(sharing).toEqual({ ...nothing, email: true, mobile_no: true })
})

test('what is shared is the present value', async () => {
  await t.ana.client.updateSharing({ mobile_no: true })
  await t.ana.client.updateParticipant({ participantId: t.ana.participant, mobile_no: '+41 2' })
  expect((await anaAsSeenBy(t.ben)).mobile_no).toBe('+41 2')
})

test('who hides is in no page of the directory for participants, and in every page for organizers', async () => {
  const [cleo, dan] = [
    await make.participant(t, { first_name: 'Cleo' }),
    await make.participant(t, { first_name: 'Dan' }),
  ]
  const idsOf = async (holder: KeyHolder, offset: number, limit: number) =>
    (await directory(holder, offset, limit)).map(({ id }) => Number(id))
  const { ana, ben, owner } = t
  expect(await idsOf(ana, 0, 2)).toEqual([ana.participant, ben.participant])
  await ben.client.updateSharing({ is_hidden: true })
  expect(await idsOf(ana, 0, 2)).toEqual([ana.participant, cleo])
  expect(await idsOf(ana, 2, 2)).toEqual([dan])
  expect(await idsOf(ana, 3, 2)).toEqual([])
  expect(await idsOf(ben, 0, 9)).toEqual([ana.participant, cleo, dan])
  expect(await idsOf(owner, 0, 2)).toEqual([ana.participant, ben.participant])
  await ben.client.updateSharing({ is_hidden: false })
  expect(await idsOf(ana, 0, 2)).toEqual([ana.participant, ben.participant])
})

test('the posts of a participant who hides keep their name', async () => {
  await t.ana.client.createTopic({ name: 'Lunch', created_by: t.ana.participant })
  await t.ana.client.updateSharing({ is_hidden: true })
  const { NewsFeed } = await t.ben.client.listTopics({ offset: 0, limit: 1 })
  expect(make.only(NewsFeed).author.name).toBe('Ana Cruz')
})

test('forms send the choices as words', async () => {
  const body = new URLSearchParams({ email: 'true', is_hidden: 'false' })
  const { data } = await make.send(t, 'PUT', '/api/me/sharing', body, t.ana.headers)
  expect(data).toEqual({ sharing: { ...nothing, email: true } })
})

test('a value that is no choice changes nothing', async () => {
  const body = JSON.stringify({ email: true, is_hidden: 'maybe', mobile_no: 1 })
  const { data } = await make.send(t, 'PUT', '/api/me/sharing', body, t.ana.headers)
  expect(data).toMatchObject({
    reason: 'VALIDATION_FAILED',
    fields: [
      { field: 'mobile_no', reason: 'NOT_A_BOOLEAN' },
      { field: 'is_hidden', reason: 'NOT_A_BOOLEAN' },
    ],
  })
  expect((await t.ana.client.getMe({})).me.sharing).toEqual(nothing)
})

test('an organizer who is not a participant has nothing to share', async () => {
  expect((await t.owner.client.getMe({})).me.sharing).toBeNull()
  const { envelope } = await t.owner.client.call('updateSharing', { email: true })
  expect(envelope.data).toMatchObject({ reason: 'PARTICIPANT_NOT_FOUND' })
})

test('where nobody signs in, everything is shown, also of those who have hidden elsewhere', async () => {
  await using open = await startTestApp()
  const { ana } = await withKeys(open)
  await open.ctx.database.transaction((tx) =>
    tx
      .insertInto('sharing')
      .values({ participant_id: ana.participant, email: 0, mobile_no: 0, employee_no: 0, is_hidden: 1 })
      .execute(),
  )
  const { participants } = await open.client.listParticipants({ offset: 0, limit: 9 })
  expect(participants[0]).toMatchObject({ id: String(ana.participant), ...contacts })
})

test('a participant who is deleted leaves no choices to the next one with their id', async () => {
  const rows = () => t.ctx.database.read.selectFrom('sharing').selectAll().execute()
  await t.ana.client.updateSharing({ email: true })
  expect(await rows()).toHaveLength(1)
  await t.ctx.database.transaction((tx) => forgetParticipant(commandScope(t.ctx, tx, 'test'), t.ana.participant, true))
  expect(await rows()).toEqual([])
})
