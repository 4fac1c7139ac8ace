import { expect, test } from 'vitest'
import { startTestApp } from '../../app.ts'
import { addConference } from '../read-page.ts'
import { type Organizer, signInToConsole } from './organizer.ts'

const roomsOf = async ({ client }: Organizer) => (await client.getDraft({})).draft.rooms.list

async function startWithRooms(names: readonly string[]) {
  const t = await startTestApp()
  await addConference(t)
  const eva = await signInToConsole(t)
  const { rooms } = await eva.client.setRooms({ revision: 0, rooms: names.map((name) => ({ name })) })
  return { t, eva, rooms, [Symbol.asyncDispose]: () => t[Symbol.asyncDispose]() }
}

test('an editor adds, names, moves and removes rooms in one form, and takes it back', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const eva = await signInToConsole(t)
  const added = await eva.submit('/console/rooms', 'Save', {
    'name-new1': 'Great hall',
    'building-new1': 'Harbour house',
    'address-new1': '1 Quay',
    'capacity-new1': '300',
    'description-new1': 'Up the stairs.\r\nBring a coat.',
    'name-new2': 'Garden',
  })
  expect(added.words).toContain('Saved. Attendees see it already. Undo')
  expect(await roomsOf(eva)).toMatchObject([
    {
      name: 'Great hall',
      building: 'Harbour house',
      address: '1 Quay',
      capacity: 300,
      description: 'Up the stairs.\nBring a coat.',
    },
    { name: 'Garden', capacity: null },
  ])
  const changed = await eva.submit('/console/rooms', 'Save', {
    'place-2': '1',
    'name-2': 'Winter garden',
    'capacity-1': '',
    'name-new1': 'Attic',
    'place-new1': '2',
  })
  expect(await roomsOf(eva)).toMatchObject([
    { id: '2', name: 'Winter garden' },
    { id: '3', name: 'Attic' },
    { id: '1', name: 'Great hall', building: 'Harbour house', capacity: null },
  ])
  await eva.submit(changed, 'Save', { 'remove-3': 'true', 'name-2': ' ' })
  expect(await roomsOf(eva)).toMatchObject([{ name: 'Great hall' }])
  await eva.submit('/console/rooms?done=3', 'Undo')
  expect(await roomsOf(eva)).toMatchObject([{ name: 'Winter garden' }, { name: 'Attic' }, { name: 'Great hall' }])
  expect((await eva.submit('/console/rooms', 'Save')).words).toContain('Nothing was changed.')
})

test('an organizer renames one of 200 rooms, and adds one', async () => {
  await using started = await startWithRooms(Array.from({ length: 200 }, (_, n) => `Room ${n + 1}`))
  const { eva } = started
  const saved = await eva.submit('/console/rooms', 'Save', { 'name-150': 'Harbour', 'name-new1': 'Garden' })
  expect(saved.words).toContain('Saved.')
  const rooms = await roomsOf(eva)
  expect(rooms).toHaveLength(201)
  expect(rooms.filter(({ name }) => !name.startsWith('Room'))).toMatchObject([{ id: '150' }, { id: '201' }])
})

test('a room that was stored without a name is not removed by whoever changes another', async () => {
  await using started = await startWithRooms(['Hall', 'Garden'])
  const { t, eva } = started
  await t.ctx.database.transaction((tx) =>
    tx.updateTable('room').set({ name: '', address: '1 Quay' }).where('name', '=', 'Garden').execute(),
  )
  const failed = await eva.submit('/console/rooms', 'Save', { 'capacity-1': '300' })
  expect(failed.text).toContain('<p class="error" id="field-name-2-error">Name must not be blank.</p>')
  await eva.submit(failed, 'Save', { 'name-2': 'Pier' })
  expect(await roomsOf(eva)).toMatchObject([
    { name: 'Hall', capacity: 300 },
    { name: 'Pier', address: '1 Quay' },
  ])
})

test('a room with sessions stays, and the page says which are in it', async () => {
  await using started = await startWithRooms(['Hall', 'Garden', 'Attic'])
  const { eva } = started
  const editor = eva.client
  for (const title of ['Small boats', 'Large boats']) await editor.createEvent({ title, room_id: 1 })
  expect((await eva.open('/console/rooms')).words).toContain('2 sessions')
  const failed = await eva.submit('/console/rooms', 'Save', {
    'remove-1': 'true',
    'name-3': '',
    'name-2': 'Winter garden',
  })
  expect([failed.status, failed.words]).toEqual([
    409,
    expect.stringContaining('Nothing has been saved: sessions are in what you wanted to remove.'),
  ])
  expect(failed.text).toMatch(/<a href="\/console\/sessions\/1" dir="auto">Small boats<\/a>/)
  expect(failed.text).toMatch(/<a href="\/console\/sessions\/2" dir="auto">Large boats<\/a>/)
  expect(failed.text).toContain('value="Winter garden"')
  expect((await roomsOf(eva)).map(({ name }) => name)).toEqual(['Hall', 'Garden', 'Attic'])
  // What else was typed is still in the form.
  await eva.submit(failed, 'Save', { 'remove-1': [] })
  expect((await roomsOf(eva)).map(({ name }) => name)).toEqual(['Hall', 'Winter garden'])
})

test('a room of a session that leaves it once that is published stays as well', async () => {
  await using started = await startWithRooms(['Hall', 'Garden'])
  const { eva } = started
  const editor = eva.client
  await editor.createEvent({ title: 'Small boats', room_id: 1 })
  await editor.publish({})
  const { revision } = (await editor.getDraftEvent({ id: 1 })).event
  await editor.updateEvent({ id: 1, revision, room_id: 2 })
  const failed = await eva.submit('/console/rooms', 'Save', { 'remove-1': 'true' })
  expect(failed.words).toContain('or leave it only when they are published. Until then it stays: Small boats')
})

test('what is wrong with a room is said beside its field, in the words of the form', async () => {
  await using started = await startWithRooms(['Hall', 'Garden'])
  const { eva } = started
  const failed = await eva.submit('/console/rooms', 'Save', {
    'capacity-2': '-5',
    'place-2': '1',
    'building-new2': 'Harbour house',
  })
  expect([failed.status, failed.words]).toEqual([422, expect.stringContaining('2 fields need another value.')])
  expect(failed.text).toContain(
    '<a href="#field-capacity-2">Seats of Garden must be a whole number from 0 to 1000000.</a>',
  )
  expect(failed.text).toContain('<p class="error" id="field-name-new2-error">Name must not be blank.</p>')
  expect(failed.text).toMatch(/id="field-capacity-2" name="capacity-2" aria-invalid="true"[^>]* value="-5"/)
  await eva.submit(failed, 'Save', { 'capacity-2': '5', 'name-new2': 'Attic' })
  expect(await roomsOf(eva)).toMatchObject([
    { name: 'Garden', capacity: 5 },
    { name: 'Hall' },
    { name: 'Attic', building: 'Harbour house' },
  ])
})

test('of two editors at the list, the second sees what the first has added, removed, moved and renamed, and loses nothing', async () => {
  await using started = await startWithRooms(['Hall', 'Garden', 'Attic', 'Cellar'])
  const { t, eva } = started
  const tom = await signInToConsole(t, 'tom@summit.example', ['editor'])
  const form = await tom.open('/console/rooms')
  await eva.submit('/console/rooms', 'Save', {
    'name-1': 'Great hall',
    'remove-2': 'true',
    'remove-3': 'true',
    'place-4': '1',
    'name-new1': 'Boat',
  })
  const stale = await tom.submit(form, 'Save', {
    'name-1': 'Small hall',
    'building-2': 'Harbour house',
    'name-4': 'Vault',
    'name-new1': 'Roof',
  })
  expect([stale.status, stale.words]).toEqual([
    409,
    expect.stringContaining('This was changed meanwhile, by somebody else or in another tab.'),
  ])
  expect(stale.words).toContain('The order was changed meanwhile.')
  expect(stale.words).toContain('Changed meanwhile to: Great hall')
  expect(stale.words).toContain('Added meanwhile.')
  expect(stale.words).toContain('Removed meanwhile.')
  // Nobody has typed anything in the row of the attic.
  expect(stale.text).not.toContain('value="Attic"')
  expect(stale.words.match(/Changed meanwhile\./g)).toBeNull()
  await tom.submit(stale, 'Save')
  expect(await roomsOf(eva)).toMatchObject([
    { id: '4', name: 'Vault' },
    { id: '1', name: 'Small hall' },
    { id: '5', name: 'Boat' },
    { name: 'Garden', building: 'Harbour house' },
    { name: 'Roof' },
  ])
})

test('those who may not edit the program get no page of its rooms', async () => {
  await using t = await startTestApp()
  const mia = await signInToConsole(t, 'mia@summit.example', ['reader'])
  expect((await mia.open('/console/rooms')).status).toBe(403)
  expect((await mia.open('/console/tracks')).status).toBe(403)
})
