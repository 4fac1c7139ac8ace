import { expect, test } from 'vitest'
import { startTestAppOn, type TestApp } from '../../../test/app.ts'
import { runSummitInProcess } from '../../../test/command.ts'
import { listRecords } from '../domains/program/records.ts'
import older from './older-program.fixture.json' with { type: 'json' }
import { olderProgram, recordOutput } from './upgrade.fixtures.ts'

// The program of a summit from before rooms and speakers were records: two imports and a corrected export, as that
// version stored them, and what it returned after them, and after it had undone the third and the second.

/** The list and the details of every session. The URL of a banner begins with that of the server. */
async function seen(t: TestApp) {
  const { events } = await t.client.listEvents({ offset: 0, limit: 100 })
  const details = await Promise.all(
    older.afterImports.details.map(async ({ id }) => (await t.client.getEvent({ id: Number(id) })).programs),
  )
  return { events: events.map((event) => ({ ...event, imageUrl: '' })), details }
}

test('the program of an older summit is returned as before, and so after each undone import', async () => {
  await using storage = await olderProgram()
  using _ = recordOutput()
  const undo = (id: number) => runSummitInProcess(['import', 'undo', String(id), '--apply'], storage.settings)
  await using t = await startTestAppOn(storage)
  expect(await seen(t)).toEqual(older.afterImports)
  expect(await undo(3)).toMatchObject({ code: 0, err: '' })
  expect(await seen(t)).toEqual(older.afterUndoOf3)
  expect(await undo(2)).toMatchObject({ code: 0, err: '' })
  expect(await seen(t)).toEqual(older.afterUndoOf2)
  expect(await undo(1)).toMatchObject({ code: 0, err: '' })
  expect((await t.client.listEvents({ offset: 0, limit: 100 })).events).toEqual([])
})

test('rooms and speakers of an older summit are told apart only where that is certain', async () => {
  await using storage = await olderProgram()
  using _ = recordOutput()
  await using t = await startTestAppOn(storage)
  const { read } = t.ctx.database
  const rooms = await listRecords(read, 'room')
  expect(rooms.map(({ name, building, address }) => [name, building, address])).toEqual([
    ['Great Hall', 'Lantern House', 'Quay 12'],
    ['Garden', null, ''],
    // A venue without a location.
    ['Rope Loft', '', ''],
    ['Yard', null, ''],
    ['Main', null, 'Quay 20'],
    // Of former states, to which an import can be undone.
    ['Main', null, ''],
  ])
  const speakers = await listRecords(read, 'speaker')
  expect(speakers.map(({ name, position, company }) => [name, position, company])).toEqual([
    ['Ana Cruz', 'Chair', 'Acme'],
    ['Ben Okafor', 'Host', 'Bolt'],
    ['Doe, Jane', 'Engineer', 'Acme'],
    // One position of three speakers: whose it is, is not known.
    ['Ana Cruz, Ben Okafor, Mia Berg', 'Panel', ''],
    ['Haruka Hoshikawa', '', ''],
    ['Jane Roe, PhD', '', ''],
    ['Ana Cruz, Ben Okafor, Mia Lindqvist', 'Panel', ''],
  ])
  const guids = (await read.selectFrom('event').select(['source_key', 'guid']).orderBy('id').execute()).map(
    ({ guid, source_key }) => (guid === source_key ? 'its id' : guid),
  )
  expect(guids[0]).toBe('its id')
  expect(new Set(guids).size).toBe(6)
  for (const guid of guids.slice(1)) expect(guid).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/)
})
