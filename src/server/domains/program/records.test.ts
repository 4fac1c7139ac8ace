import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/app.ts'
import { inCommand } from '../../../../test/in-command.ts'
import * as make from '../../../../test/make.ts'
import type { EventId } from '../../core/ids.ts'
import { addEvent, updateEvent } from './events.ts'
import { updateRecord } from './records.ts'

// What specified responses show of rooms and speakers follows the records.

const details = async (t: Awaited<ReturnType<typeof startTestApp>>, id: number) => {
  const { location, venue, speaker, position, company } = (await t.client.getEvent({ id })).programs
  return [location, venue, speaker, position, company]
}

test('a renamed room and a corrected speaker are shown by each of their events, and by no other', async () => {
  await using t = await startTestApp()
  const talk = { location_name: 'Quay House', venue: 'Hall 1', speaker: 'Ana Cruz', position: 'Chair', company: 'Acme' }
  await make.event(t, talk)
  const room_id = (await t.ctx.database.read.selectFrom('event').select('room_id').executeTakeFirstOrThrow()).room_id
  const second = await make.event(t, { room_id })
  const other = await make.event(t, talk)
  const before = await details(t, other)
  await inCommand(t, async (scope) => {
    await updateRecord(scope, 'room', 1, { name: 'Great Hall', building: 'Lantern House' })
    await updateRecord(scope, 'speaker', 1, { name: 'Ana Crus', company: '' })
  })
  expect(await details(t, 1)).toEqual(['Lantern House', 'Great Hall', 'Ana Crus', 'Chair', ''])
  expect(await details(t, second)).toEqual(['Lantern House', 'Great Hall', '', '', ''])
  expect(await details(t, other)).toEqual(before)
})

test('two events never have one UUID, and an event keeps its own', async () => {
  await using t = await startTestApp()
  const guid = 'c7b2b7b0-0000-4000-8000-000000000001'
  const guids = async () =>
    (await t.ctx.database.read.selectFrom('event').select('guid').orderBy('id').execute()).map((row) => row.guid)
  await inCommand(t, async (scope) => {
    for (const title of ['Here', 'There'])
      await addEvent(scope, { title, guid, date_from: null, date_to: null, room_id: null, track_id: null }, [])
  })
  const [first, second] = await guids()
  expect(first).toBe(guid)
  expect(second).toMatch(/^[\da-f-]{36}$/)
  expect(second).not.toBe(guid)
  const changed = { title: 'Here again', guid: 'c7b2b7b0-0000-4000-8000-000000000002' }
  await inCommand(t, (scope) => updateEvent(scope, 1 as EventId, changed))
  expect(await guids()).toEqual([first, second])
})
