import { expect, test } from 'vitest'
import { inCommand } from '../../../../test/in-command.ts'
import type { EventId } from '../../core/ids.ts'
import { updateEvent } from '../program/events.ts'
import { startWithEditor } from './editing.fixtures.ts'

// What editors may write in each field, and what an edit leaves alone.

test('titles, names and tags are kept on one line, texts are not', async () => {
  await using t = await startWithEditor()
  const { editor } = t
  const { event } = await editor.createEvent({
    ...{ title: ' Small\r\nboats\u0007 ', subtitle: 'A\thands-on\nhour', type: 'Work\u2028shop', language: 'en\n' },
    ...{ tags: ['ro\npes'], license: 'CC\nBY', description: '<pre>a\nb</pre>' },
    links: [{ rel: 'a\nb', title: 'Our\nslides', url: 'https://summit.example/s' }],
  })
  expect(event).toMatchObject({
    ...{ title: 'Small boats', subtitle: 'A hands-on hour', type: 'Work shop', language: 'en' },
    ...{ tags: ['ro pes'], license: 'CC BY', description: '<pre>a\nb</pre>' },
    links: [{ rel: 'a b', title: 'Our slides' }],
  })
  const { rooms } = await editor.setRooms({
    revision: 0,
    rooms: [{ name: 'Hall\n1', building: 'Con\ngress', address: '1\nSquare', description: 'Up\nstairs' }],
  })
  expect(rooms.list).toMatchObject([
    { name: 'Hall 1', building: 'Con gress', address: '1 Square', description: 'Up\nstairs' },
  ])
  const { speaker } = await editor.createSpeaker({ name: 'Ana\nCruz', position: 'Ship\nwright', company: 'A\nB' })
  expect(speaker).toMatchObject({ name: 'Ana Cruz', position: 'Ship wright', company: 'A B' })
  const { conference } = await editor.updateConference({ revision: 0, title: 'Summit\n2030', acronym: 's\n30' })
  expect(conference).toMatchObject({ title: 'Summit 2030', acronym: 's 30' })
  const blank = editor.createEvent({ title: '\n \u0007' })
  await expect(blank).rejects.toMatchObject({ data: { fields: [{ field: 'title', reason: 'BLANK' }] } })
  const nul = editor.createEvent({ title: 'a\0b' })
  await expect(nul).rejects.toMatchObject({ data: { fields: [{ field: 'title', reason: 'NOT_TEXT' }] } })
})

test('links with a password or white space are refused', async () => {
  await using t = await startWithEditor()
  for (const url of [
    'https://ana:secret@summit.example',
    'https://summit.example@other.example',
    'https://a.example/\nb',
  ]) {
    const refused = t.editor.updateConference({ revision: 0, url })
    await expect(refused, url).rejects.toMatchObject({ data: { fields: [{ field: 'url', reason: 'NOT_A_URL' }] } })
  }
})

test('an edit of the title changes no time, whatever the times are', async () => {
  await using t = await startWithEditor()
  const { editor } = t
  const { event } = await editor.createEvent({ title: 'Some time', day: '2030-05-02' })
  expect(event).toMatchObject({ day: '2030-05-02', starts_at: null })
  const id = Number(event.id)
  expect((await editor.updateEvent({ id, revision: 1, title: 'Any time' })).event).toMatchObject({
    ...{ title: 'Any time', day: '2030-05-02', starts_at: null },
  })
  // As an older import may have stored it.
  const odd = Number((await editor.createEvent({ title: 'Odd' })).event.id)
  const times = { date_from: '2030-05-02 10:00:00', date_to: '2030-05-02 09:00:00', program_date: '2030-05-03' }
  const activities = [
    { date: '', time: '', title: 'Odd' },
    { date: '2030-05-03', time: 'noon', title: 'Lunch' },
  ]
  await inCommand(t, (scope) => updateEvent(scope, odd as EventId, { ...times, program_time: 'ten' }, activities))
  const { revision } = (await editor.getDraftEvent({ id: odd })).event
  const { event: edited } = await editor.updateEvent({ id: odd, revision, title: 'Even' })
  expect(edited).toMatchObject({ title: 'Even', day: '2030-05-03', starts_at: '2030-05-02T10:00:00+00:00' })
  const { event: moved } = await editor.updateEvent({
    ...{ id: odd, revision: edited.revision, starts_at: '2030-05-04 08:30', ends_at: '2030-05-04 09:00' },
  })
  expect(moved).toMatchObject({ starts_at: '2030-05-04T08:30:00+00:00', day: '2030-05-04' })
  expect(moved.activities).toMatchObject([{}, { time: 'noon', title: 'Lunch' }])
})
