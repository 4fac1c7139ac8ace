import { describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/app.ts'
import type { RoomId } from '../../../core/ids.ts'
import { listAllEvents, updateEvent } from '../../program/events.ts'
import type { Place } from '../../program/projection.ts'
import { addRecord, removeRecord, updateRecord } from '../../program/records.ts'
import { planParts } from './plan-parts.ts'
import { applyPart } from './program-apply.ts'
import { findImportedEvents, importFile } from './program-import.fixtures.ts'
import { boats, fileOf, importMentions, opening, speakerRows, speakersSeen, write } from './program-parts.fixtures.ts'
import { loadParts } from './program-parts-plan.ts'

const uuid = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`

describe('speakers of one id', () => {
  test('are two persons, if their names do not resemble each other', async () => {
    await using t = await startTestApp()
    const mentions = [
      { name: 'Ana Cruz', key: '7' },
      { name: 'Ben Okafor', key: '7' },
      { name: 'Anna Cruz', key: '7' },
    ]
    for (const _ of ['first', 'again']) await importMentions(t, mentions)
    expect(await speakersSeen(t)).toEqual(['Ana Cruz', 'Ben Okafor', 'Ana Cruz'])
    expect(await speakerRows(t)).toHaveLength(2)
  })

  test('in a later file are two persons, if their names do not resemble each other', async () => {
    await using t = await startTestApp()
    await importMentions(t, [{ name: 'Ana Cruz', key: '7' }])
    await importMentions(t, [{ name: 'Ben Okafor', key: '7' }])
    expect(await speakerRows(t)).toMatchObject([{ name: 'Ana Cruz' }, { name: 'Ben Okafor' }])
    await importMentions(t, [{ name: 'Anna Cruz', key: '7' }])
    expect(await speakerRows(t)).toMatchObject([{ name: 'Anna Cruz' }, { name: 'Ben Okafor' }])
  })

  test('are one person by a guid, whatever their names', async () => {
    await using t = await startTestApp()
    await importMentions(t, [{ name: 'Ana Cruz', key: uuid(7), guid: uuid(7) }])
    await importMentions(t, [{ name: 'Ben Okafor', key: uuid(7), guid: uuid(7) }])
    expect(await speakerRows(t)).toMatchObject([{ id: 1, name: 'Ben Okafor' }])
  })
})

/** The place of each session: location, venue and address. */
async function placesSeen(t: TestApp) {
  const events = await listAllEvents(t.ctx.database.read)
  return events.map(({ title, location_name, venue, location_address }) =>
    [title, location_name, venue, location_address].filter(Boolean).join(', '),
  )
}

const roomRows = async (t: TestApp) => (await loadParts(t.ctx.database.read)).room

describe('a room of another program', () => {
  test('with the same name is used as it is, and only what it lacks is added', async () => {
    await using t = await startTestApp()
    await importFile(t, 'talks', fileOf([`${opening}Hall`], [{ name: 'Hall', key: '1', guid: uuid(1), capacity: 9 }]))
    const [before] = await roomRows(t)
    const workshops = fileOf(
      [`${boats}HALL`],
      [{ name: 'HALL', key: '7', guid: uuid(7), capacity: 5, description: 'x' }],
    )
    await importFile(t, 'workshops', workshops)
    expect(await roomRows(t)).toEqual([{ ...before, description: 'x', modified_at: expect.any(Number) }])
    expect(await placesSeen(t)).toEqual(['Opening, Hall', 'Boats, Hall'])
  })

  test('without ids is not spelled in another way', async () => {
    await using t = await startTestApp()
    await importFile(t, 'talks', fileOf([`${opening}Hall`]))
    await importFile(t, 'workshops', fileOf([`${boats}HALL`], [{ name: 'HALL', key: '7' }]))
    expect(await placesSeen(t)).toEqual(['Opening, Hall', 'Boats, Hall'])
    expect(await roomRows(t)).toMatchObject([{ name: 'Hall', source_key: '' }])
  })
})

describe('a room', () => {
  test('gets the id and the spelling of a later file of its program', async () => {
    await using t = await startTestApp()
    await importFile(t, 'talks', fileOf([`${opening}HALL`]))
    await importFile(t, 'talks', fileOf([`${opening}Hall`], [{ name: 'Hall', key: '1', guid: uuid(1) }]))
    expect(await roomRows(t)).toMatchObject([{ name: 'Hall', source: 'talks', source_key: '1', guid: uuid(1) }])
  })

  test('that was renamed stays the same, though another has its old name', async () => {
    await using t = await startTestApp()
    await importFile(t, 'talks', fileOf([`${opening}Saal 1`], [{ name: 'Saal 1', key: '1' }]))
    const renamed = [
      { name: 'Saal 1', key: '2' },
      { name: 'Saal X', key: '1' },
    ]
    for (const _ of ['first', 'again'])
      await importFile(t, 'talks', fileOf([`${opening}Saal X`, `${boats}Saal 1`], renamed))
    expect(await roomRows(t)).toMatchObject([
      { id: 1, name: 'Saal X', source_key: '1' },
      { id: 2, name: 'Saal 1', source_key: '2' },
    ])
    expect(await placesSeen(t)).toEqual(['Opening, Saal X', 'Boats, Saal 1'])
  })
})

describe('a corrected place stays when the file is imported again', () => {
  const correct = (t: TestApp, place: Place, isFirstRemoved = false) =>
    write(t, async (scope) => {
      const room_id = (await addRecord(scope, 'room', place)) as RoomId
      const [event] = await findImportedEvents(scope.db, 'program')
      if (event) await updateEvent(scope, event.id, { room_id })
      if (isFirstRemoved) await removeRecord(scope, 'room', 1)
    })

  test.each([
    ['address', { name: 'Main', building: null, address: '1 Quay' }, 'Opening, Main, 1 Quay'],
    ['venue', { name: 'Hall', building: 'Main', address: '' }, 'Opening, Main, Hall'],
  ])('its %s', async (_, place, seen) => {
    await using t = await startTestApp()
    const file = fileOf([`${opening}Main`, `${boats}Main`])
    await importFile(t, 'program', file)
    await correct(t, place)
    expect((await importFile(t, 'program', file)).map(({ change }) => change)).toEqual(['unchanged', 'unchanged'])
    expect(await placesSeen(t)).toEqual([seen, 'Boats, Main'])
  })

  test('and the building of the room does not become a room', async () => {
    await using t = await startTestApp()
    const file = fileOf([`${opening}Main`])
    await importFile(t, 'program', file)
    await correct(t, { name: 'Hall', building: 'Main', address: '' }, true)
    await importFile(t, 'program', file)
    expect(await roomRows(t)).toMatchObject([{ name: 'Hall' }])
  })

  test('but a session that the file has in another room is moved there', async () => {
    await using t = await startTestApp()
    await importFile(t, 'program', fileOf([`${opening}Main`]))
    await correct(t, { name: 'Hall', building: 'Main', address: '' })
    await importFile(t, 'program', fileOf([`${opening}Garden`]))
    expect(await placesSeen(t)).toEqual(['Opening, Garden'])
  })
})

test('sessions of one title at one time are told apart by their rooms in one building', async () => {
  await using t = await startTestApp()
  const rows = ['Hall', 'Lab'].map((room) => `,Lunch,2030-05-01 12:00,${room}`)
  await importFile(t, 'program', fileOf(rows))
  await write(t, async (scope) => {
    for (const { id } of await roomRows(t)) await updateRecord(scope, 'room', id, { building: 'Main' })
  })
  expect((await importFile(t, 'program', fileOf(rows.toReversed()))).map(({ change }) => change)).toEqual([
    'unchanged',
    'unchanged',
  ])
  expect(await placesSeen(t)).toEqual(['Lunch, Main, Hall', 'Lunch, Main, Lab'])
})

test('an update writes what the file changes, and nothing else of a record', async () => {
  await using t = await startTestApp()
  await importFile(t, 'program', fileOf([`${opening}Hall`], [{ name: 'Hall', key: '1', capacity: 5 }]))
  const larger = fileOf([`${opening}Hall`], [{ name: 'Hall', key: '1', capacity: 9 }])
  const stored = await loadParts(t.ctx.database.read)
  const [room = expect.unreachable()] = planParts(larger, stored, [], 'program').parts
  await write(t, (scope) => updateRecord(scope, 'room', 1, { address: '1 Quay' }))
  await write(t, (scope) => applyPart(scope, room))
  expect(await roomRows(t)).toMatchObject([{ capacity: 9, address: '1 Quay' }])
})
