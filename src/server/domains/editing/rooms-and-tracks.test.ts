import { expect, test } from 'vitest'
import { publishEvent, sequenceOf, startWithEditor } from './editing.fixtures.ts'

const namesOf = (list: readonly { name: string }[]) => list.map(({ name }) => name)

test('an editor adds, reorders, renames and removes rooms, and undoes each', async () => {
  await using t = await startWithEditor()
  const { editor, attendee } = t
  const { rooms } = await editor.setRooms({
    revision: 0,
    rooms: [{ name: 'Hall 1', building: 'Center', address: '1 Square', capacity: 300 }, { name: 'Garden' }],
  })
  expect(rooms).toMatchObject({
    revision: 1,
    list: [
      { id: '1', name: 'Hall 1', building: 'Center', address: '1 Square', capacity: 300, description: '' },
      { id: '2', name: 'Garden', building: '', capacity: null },
    ],
  })
  const id = await publishEvent(editor, { title: 'Small boats', room_id: 1 })
  const before = (await sequenceOf(t, id)) ?? 0

  const changed = await editor.setRooms({
    revision: 1,
    rooms: [
      { id: 2, name: 'Garden', description: 'Bring a coat.' },
      { id: 1, name: 'Great hall' },
    ],
  })
  expect(changed.rooms).toMatchObject({
    list: [
      { id: '2', description: 'Bring a coat.' },
      { id: '1', name: 'Great hall', building: 'Center', address: '1 Square', capacity: 300 },
    ],
  })
  expect((await attendee.listEvents({ offset: 0, limit: 1 })).events).toMatchObject([
    { location: { name: 'Center', address: '1 Square' } },
  ])
  expect((await attendee.getEvent({ id })).programs).toMatchObject({ location: 'Center', venue: 'Great hall' })
  expect(await sequenceOf(t, id)).toBeGreaterThan(before)
  expect(changed.rooms).toEqual((await editor.getDraft({})).draft.rooms)

  const { rooms: without } = await editor.setRooms({
    revision: changed.rooms.revision,
    rooms: [{ id: 1, name: 'Great hall' }],
  })
  expect(namesOf(without.list)).toEqual(['Great hall'])
  expect(without.revision).toBeGreaterThan(changed.rooms.revision)
  await t.undo(without.revision)
  await t.undo(changed.rooms.revision)
  expect(namesOf((await editor.getDraft({})).draft.rooms.list)).toEqual(['Hall 1', 'Garden'])
  expect((await attendee.getEvent({ id })).programs).toMatchObject({ venue: 'Hall 1' })
})

test('rooms and tracks in use, also by a draft or an event that is not published, are not removed, and each is named', async () => {
  await using t = await startWithEditor()
  const { editor } = t
  await editor.setRooms({ revision: 0, rooms: ['A', 'B', 'C', 'D'].map((name) => ({ name })) })
  await editor.setTracks({ revision: 0, tracks: [{ name: 'T' }, { name: 'U' }] })
  const id = await publishEvent(editor, { title: 'Published', room_id: 1 })
  await editor.createEvent({ title: 'Not published', room_id: 2 })
  const { revision } = (await editor.getDraftEvent({ id })).event
  await editor.updateEvent({ id, revision, room_id: 3, track_id: 2 })
  await expect(editor.setRooms({ revision: 1, rooms: [{ name: 'New' }] })).rejects.toMatchObject({
    data: {
      reason: 'IN_USE',
      fields: [1, 2, 3].map((room) => ({
        field: 'rooms',
        message: `rooms must contain room ${room} “${'ABC'[room - 1]}”, in use by 1 session.`,
      })),
    },
  })
  await expect(editor.setTracks({ revision: 2, tracks: [] })).rejects.toMatchObject({
    data: { reason: 'IN_USE', fields: [{ field: 'tracks', message: expect.stringContaining('track 2 “U”') }] },
  })
  const { draft } = await editor.getDraft({})
  expect(namesOf(draft.rooms.list)).toEqual(['A', 'B', 'C', 'D'])
  expect(namesOf(draft.tracks.list)).toEqual(['T', 'U'])
})

test('a room of a deleted event is removed, and returns to it when both are undone', async () => {
  await using t = await startWithEditor()
  const { editor, attendee } = t
  await editor.setRooms({ revision: 0, rooms: [{ name: 'Hall' }] })
  const id = await publishEvent(editor, { title: 'Small boats', room_id: 1 })
  await editor.deleteEvent({ id, revision: (await editor.getDraftEvent({ id })).event.revision })
  const { revision_id: publication } = await editor.publish({})
  const { rooms } = await editor.setRooms({ revision: 1, rooms: [] })
  expect(rooms.list).toEqual([])
  await t.undo(rooms.revision)
  await t.undo(Number(publication))
  expect((await attendee.getScheduleEvent({ id })).event.room).toMatchObject({ id: '1', name: 'Hall' })
})

test('a renamed track raises the sequence of its events, a recoloured one does not', async () => {
  await using t = await startWithEditor()
  const { editor, attendee } = t
  const { tracks } = await editor.setTracks({ revision: 0, tracks: [{ name: 'Hardware', color: '#0B57D0' }] })
  expect(tracks).toEqual({ revision: 1, list: [{ id: '1', name: 'Hardware', color: '#0b57d0' }] })
  const id = await publishEvent(editor, { title: 'Small boats', track_id: 1 })
  const before = (await sequenceOf(t, id)) ?? 0
  await editor.setTracks({ revision: 1, tracks: [{ id: 1, name: 'Hardware', color: '' }] })
  expect(await sequenceOf(t, id)).toBe(before)
  const { revision } = (await editor.getDraft({})).draft.tracks
  await editor.setTracks({ revision, tracks: [{ id: 1, name: 'Boats' }] })
  expect(await sequenceOf(t, id)).toBe(before + 1)
  expect((await attendee.getScheduleEvent({ id })).event.track).toEqual({ id: '1', name: 'Boats', color: '' })
})

test('a list that somebody else has changed, also by a removal, stays as it is', async () => {
  await using t = await startWithEditor()
  const { editor } = t
  await editor.setRooms({ revision: 0, rooms: [{ name: 'A' }, { name: 'B' }] })
  await editor.setRooms({ revision: 1, rooms: [{ id: 1, name: 'A' }] })
  await expect(editor.setRooms({ revision: 1, rooms: [] })).rejects.toMatchObject({
    data: { reason: 'EVENT_CHANGED', current: { rooms: { revision: 2, list: [{ id: '1', name: 'A' }] } } },
  })
  await expect(editor.setRooms({ revision: 2, rooms: [{ id: 2, name: 'B' }] })).rejects.toMatchObject({
    data: { reason: 'ROOM_NOT_FOUND' },
  })
  await expect(editor.setTracks({ revision: 0, tracks: [{ id: 1, name: 'T' }] })).rejects.toMatchObject({
    data: { reason: 'TRACK_NOT_FOUND' },
  })
  const twice = [1, 1].map((id) => ({ id, name: 'A' }))
  await expect(editor.setRooms({ revision: 2, rooms: twice })).rejects.toMatchObject({
    data: { fields: [{ field: 'rooms[1].id', reason: 'REPEATED' }] },
  })
  const faults = [{ name: ' ' }, { id: 1, name: 'A', capacity: -1 }, {} as { name: string }]
  await expect(editor.setRooms({ revision: 2, rooms: faults })).rejects.toMatchObject({
    data: {
      fields: [
        { field: 'rooms[0].name', reason: 'BLANK' },
        { field: 'rooms[1].capacity', reason: 'NOT_AN_INTEGER' },
        { field: 'rooms[2].name', reason: 'REQUIRED' },
      ],
    },
  })
})

test('a room that only a draft refers to stays when its creation is undone, which can be undone later', async () => {
  await using t = await startWithEditor()
  const { editor } = t
  const id = await publishEvent(editor, { title: 'Small boats' })
  const { rooms } = await editor.setRooms({ revision: 0, rooms: [{ name: 'Hall' }] })
  await editor.updateEvent({ id, revision: (await editor.getDraftEvent({ id })).event.revision, room_id: 1 })
  expect(await editor.undoRevision({ id: rooms.revision })).toEqual({ revision_id: null })
  expect((await editor.getDraft({})).draft.rooms).toEqual(rooms)
  await t.undo(rooms.revision + 1)
  await editor.undoRevision({ id: rooms.revision })
  expect((await editor.getDraft({})).draft.rooms.list).toEqual([])
})
