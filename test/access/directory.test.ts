import { beforeEach, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { createClient } from '../../src/client/client.ts'
import type { ParticipantId } from '../../src/server/core/ids.ts'
import { forgetParticipant } from '../../src/server/domains/privacy/forget-participant.ts'
import { startOtherServer, startTestApp } from '../app.ts'
import { inCommand } from '../in-command.ts'
import * as make from '../make.ts'
import { type AppWithKeys, publicUrl, startAppWithKeys, withKeys } from './app-with-keys.ts'

// One participant of the directory, and the search in it, for those who may see all contacts and for others.

let t: AppWithKeys

beforeEach(async () => {
  t = await startAppWithKeys('members')
  return () => t[Symbol.asyncDispose]()
})

const search = ({ client }: { client: Client }, q: string, page = { offset: 0, limit: 100 }) =>
  client.searchParticipants({ q, ...page })

/** The first names of those who are found, who all share the last name. */
const find = async (reader: { client: Client }, q: string): Promise<string[]> => {
  const { participants, participant_count } = await search(reader, q)
  expect(participant_count).toBe(participants.length)
  return participants.map(({ full_name }) => full_name.replace(/ Cruz$/, ''))
}

const read = async ({ client }: { client: Client }, participantId: number) =>
  (await client.readParticipant({ participantId })).participant

const notFound = { code: 4040, data: { reason: 'PARTICIPANT_NOT_FOUND' } }

const contacts = [
  ['email', 'ana@summit.example'],
  ['mobile_no', '+41 79 123'],
  ['employee_no', 'E1001'],
] as const

test.each(contacts)('nobody is found by a hidden %s but by organizers', async (field, value) => {
  const { ana, ben, owner } = t
  await owner.client.updateParticipant({ participantId: ana.participant, ...Object.fromEntries(contacts) })
  const part = value.slice(1)
  for (const q of [value, part, `cruz ${value}`])
    for (const reader of [ana, ben]) expect(await search(reader, q)).toEqual({ participants: [], participant_count: 0 })
  expect(await find(owner, value)).toEqual(['Ana'])
  expect((await read(ben, ana.participant))[field]).toBe('')
  expect((await read(owner, ana.participant))[field]).toBe(value)

  await ana.client.updateSharing({ [field]: true })
  expect(await find(ben, part)).toEqual(['Ana'])
  expect(make.only((await search(ben, value)).participants)).toMatchObject({
    ...{ email: '', mobile_no: '', employee_no: '', [field]: value },
  })
  expect((await read(ben, ana.participant))[field]).toBe(value)

  await ana.client.updateSharing({ [field]: false })
  expect(await find(ben, value)).toEqual([])
  expect((await read(ben, ana.participant))[field]).toBe('')
})

test('who hides is neither found nor counted nor read by participants, but by organizers', async () => {
  const { ana, ben, owner } = t
  await ana.client.updateSharing({ email: true })
  expect(await find(ben, 'cruz')).toEqual(['Ana', 'Ben'])
  await ana.client.updateSharing({ is_hidden: true })
  expect(await find(ben, 'cruz')).toEqual(['Ben'])
  expect(await find(ana, 'ana@summit.example')).toEqual([])
  await expect(read(ben, ana.participant)).rejects.toMatchObject(notFound)
  expect(await find(owner, 'cruz')).toEqual(['Ana', 'Ben'])
  expect(await read(owner, ana.participant)).toMatchObject({ full_name: 'Ana Cruz' })
  await ana.client.updateSharing({ is_hidden: false })
  expect(await find(ben, 'cruz')).toEqual(['Ana', 'Ben'])
  expect(await read(ben, ana.participant)).toMatchObject({ email: 'ana@summit.example' })
})

test('an app at its secret URL finds what participants find', async () => {
  const app = await t.issueAppUrl('change')
  expect([await find(app, 'cruz'), await find(app, 'ana@summit')]).toEqual([['Ana', 'Ben'], []])
  expect(await read(app, t.ana.participant)).toMatchObject({ email: '' })
})

test('a participant is read with the URL of their photo', async () => {
  const { ana, ben } = t
  expect(await read(ben, ana.participant)).toEqual({
    ...{ id: String(ana.participant), full_name: 'Ana Cruz', designation: 'Engineer', gender: '' },
    ...{ employee_no: '', email: '', mobile_no: '', photo_url: null },
  })
  await ana.client.updateMe({ photo: 'photos/ana.jpg', designation: 'Baker' })
  expect(await read(ben, ana.participant)).toMatchObject({
    ...{ designation: 'Baker', photo_url: `${publicUrl}/photos/ana.jpg` },
  })
})

test('somebody who is unknown, deleted or erased is not found', async () => {
  const { ana, ben, owner } = t
  const cleo = await make.participant(t, { first_name: 'Cleo' })
  await t.ctx.database.transaction((tx) =>
    tx
      .updateTable('participant')
      .set({ is_deleted: 1 })
      .where('id', '=', cleo as ParticipantId)
      .execute(),
  )
  expect(await find(owner, 'cruz')).toEqual(['Ana', 'Ben'])
  await inCommand(t, (scope) => forgetParticipant(scope, ana.participant, true))
  for (const reader of [ben, owner]) {
    expect(await find(reader, 'cruz')).toEqual(['Ben'])
    for (const id of [ana.participant, cleo, 404]) await expect(read(reader, id)).rejects.toMatchObject(notFound)
  }
})

test('every word is found in any script and counts most in a name, then in a designation', async () => {
  await using open = await startTestApp()
  for (const values of [
    { first_name: 'Zoë', designation: 'Ingenieurin', email: 'zoe@boats.example' },
    { first_name: 'Łukasz', designation: 'Boat builder' },
    { first_name: 'Boaty', designation: 'Pilot' },
    { first_name: '美咲', designation: 'Pilot', mobile_no: '+81 90 1234' },
  ])
    await make.participant(open, values)
  expect(await find(open, 'BOAT')).toEqual(['Boaty', 'Łukasz', 'Zoë'])
  expect(await find(open, ' zoe\u3000INGENIEUR ')).toEqual(['Zoë'])
  expect(await find(open, 'lukasz cruz')).toEqual(['Łukasz'])
  expect(await find(open, 'pilot')).toEqual(['Boaty', '美咲'])
  expect(await find(open, '咲 81')).toEqual(['美咲'])
  expect(await find(open, 'boat pilot baker')).toEqual([])
  // Of two texts, no word begins in one and ends in the other.
  expect(await find(open, 'cruzpilot')).toEqual([])
  expect(await find(open, '\u00ad.')).toEqual(['Zoë'])
})

test('those who are found come in pages, with the number of all', async () => {
  for (const first_name of ['Cleo', 'Dan', 'Eva']) await make.participant(t, { first_name })
  const page = async (offset: number, limit: number) => {
    const { participants, participant_count } = await search(t.ben, 'cruz', { offset, limit })
    expect(participant_count).toBe(5)
    return participants.map(({ full_name }) => full_name)
  }
  expect(await page(0, 2)).toEqual(['Ana Cruz', 'Ben Cruz'])
  expect(await page(4, 2)).toEqual(['Eva Cruz'])
  expect(await page(5, 2)).toEqual([])
  expect(await page(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)).toEqual([])
  expect(await page(0, 0)).toEqual([])
  const { participants } = await t.ben.client.listParticipants({ offset: 0, limit: 100 })
  expect((await search(t.ben, 'cruz')).participants).toEqual(participants)
})

test('a search without a word is invalid', async () => {
  for (const path of ['', '?q=', '?q=%20', '?q=a&q=b', '?unknown=a'])
    expect(await make.send(t, 'GET', `/api/participants/search/0/10${path}`, undefined, t.ana.headers)).toMatchObject({
      response_code: 4220,
    })
})

test('a change is found at once, on every server and without a cache', async () => {
  await using other = await startOtherServer(t)
  await using uncached = await startOtherServer(t, { pageCacheBytes: 0 })
  const readers = [t.url, other.url, uncached.url].map((url) => ({
    client: createClient(url, { headers: t.ben.headers }),
  }))
  for (const designation of ['Baker', 'Pilot', 'Baker']) {
    await t.ana.client.updateMe({ designation })
    for (const reader of readers) {
      expect(await find(reader, 'ana baker')).toEqual(designation === 'Baker' ? ['Ana'] : [])
      expect(await read(reader, t.ana.participant)).toMatchObject({ designation })
    }
  }
})

test('visitors of a public summit neither search nor read participants; where nobody signs in, everyone does', async () => {
  await using visible = await startAppWithKeys('public')
  const visitor = { client: createClient(visible.url) }
  await expect(search(visitor, 'ana')).rejects.toMatchObject({ code: 4010 })
  await expect(read(visitor, 1)).rejects.toMatchObject({ code: 4010 })
  expect(await find(visible.ben, 'ana')).toEqual(['Ana'])
  expect(await find(visible.ben, 'ana@summit.example')).toEqual([])

  await using open = await startTestApp()
  const { ana } = await withKeys(open)
  await open.ctx.database.transaction((tx) =>
    tx
      .insertInto('sharing')
      .values({ participant_id: ana.participant, email: 0, mobile_no: 0, employee_no: 0, is_hidden: 1 })
      .execute(),
  )
  expect(await find(open, 'ana@summit.example')).toEqual(['Ana'])
  expect(await read(open, ana.participant)).toMatchObject({ email: 'ana@summit.example' })
})
