import { expect, test } from 'vitest'
import { startTestApp } from '../../app.ts'
import { addConference } from '../read-page.ts'
import { type Organizer, signInToConsole } from './organizer.ts'

/** A published program of three sessions, of which the first may move. */
async function start() {
  const t = await startTestApp()
  await addConference(t, { first_day: '2030-05-01', last_day: '2030-05-03' })
  const eva = await signInToConsole(t)
  const { client } = eva
  await client.setRooms({ revision: 0, rooms: [{ name: 'Hall 1' }, { name: 'Hall 2' }] })
  await client.createSpeaker({ name: 'Ana Cruz' })
  const times = { starts_at: '2030-05-02 09:00', ends_at: '2030-05-02 09:45' }
  await client.createEvent({ title: 'Boats', ...times, room_id: 1, speaker_ids: [1] })
  await client.createEvent({ title: 'Knots', starts_at: '2030-05-02 11:00', ends_at: '2030-05-02 12:00', room_id: 2 })
  const sails = { starts_at: '2030-05-02 11:30', ends_at: '2030-05-02 12:00', speaker_ids: [1] }
  await client.createEvent({ title: 'Sails', ...sails })
  await client.publish({})
  return Object.assign(t, { eva })
}

const draftOf = async ({ client }: Organizer, id = 1) => (await client.getDraftEvent({ id })).event

const seenBy = async ({ client }: { client: Organizer['client'] }) => (await client.getScheduleEvent({ id: 1 })).event

test('an organizer moves a session an hour before it starts, publishes that at once, and takes it back', async () => {
  await using t = await start()
  const { eva } = t
  const page = await eva.open('/console/sessions/1/move')
  expect(page.words).toContain('It is at: 2 May, 09:00–09:45, Hall 1')
  expect(page.words).toContain('Nothing clashes: 2 May, 09:00–09:45, Hall 1')
  const moved = await eva.submit(page, 'Move and publish', { time: '10:00', room_id: '2' })
  expect(moved.words).toContain('Saved and published. Attendees see it now. Undo')
  expect(moved.path).toMatch(/^\/console\/sessions\/1\?done=\d+$/)
  expect(await seenBy(t)).toMatchObject({
    starts_at: '2030-05-02T10:00:00+02:00',
    ends_at: '2030-05-02T10:45:00+02:00',
    room: { name: 'Hall 2' },
  })
  expect((await t.client.listReleases({ offset: 0, limit: 1 })).releases[0]?.events).toMatchObject([
    { event_id: '1', changes: ['moved'] },
  ])
  const undone = await eva.submit(moved, 'Undo')
  expect(undone.words).toContain('Undone.')
  expect(await seenBy(t)).toMatchObject({ starts_at: '2030-05-02T09:00:00+02:00', room: { name: 'Hall 1' } })
  expect(await draftOf(eva)).toMatchObject({ starts_at: '2030-05-02T09:00:00+02:00', changes: [] })
})

test('a time that there is not is said beside its field', async () => {
  await using t = await start()
  const failed = await t.eva.submit('/console/sessions/1/move', 'Move', { day: '2030-02-30', time: '10:00' })
  expect(failed.status).toBe(422)
  expect(failed.text).toMatch(/<p class="error" id="field-time-error">Start must/)
})

test('who is busy and which rooms are free is said before anything is moved', async () => {
  await using t = await start()
  const { eva } = t
  const path = '/console/sessions/1/move?day=2030-05-02&time=11:15&room_id=2'
  const page = await eva.open(path)
  expect(page.words).toContain(
    'It clashes with what is at the same time: Hall 2: Knots, 2 May, 11:00–12:00 Ana Cruz: Sails, 2 May, 11:30–12:00',
  )
  expect(page.text).toContain('>Hall 1 – free</option>')
  expect(page.text).toContain('selected>Hall 2 – taken: Knots</option>')
  expect((await draftOf(eva)).starts_at).toBe('2030-05-02T09:00:00+02:00')
  expect((await eva.open('/console/sessions/1/move?day=2030-05-03&time=11:15&room_id=2')).words).toContain(
    'Nothing clashes: 3 May, 11:15–12:00, Hall 2',
  )
  // It informs, and does not stop anybody.
  const moved = await eva.submit(page, 'Move')
  expect(moved.words).toContain('Saved. Undo')
  expect(moved.words).toContain('Not published: Time: 2 May, 09:00–09:45 → 2 May, 11:15–12:00 Room: Hall 1 → Hall 2')
  expect(moved.words).toContain('It clashes with what is at the same time: Hall 2: Knots')
  expect((await seenBy(t)).starts_at).toBe('2030-05-02T09:00:00+02:00')
  const cancelled = (await draftOf(eva, 2)).revision
  await eva.client.updateEvent({ id: 2, revision: cancelled, is_cancelled: true })
  expect((await eva.open(path)).words).toContain('It clashes with what is at the same time: Ana Cruz: Sails')
})

test('what else is not published is named before it is published with the move', async () => {
  await using t = await start()
  const { eva } = t
  await eva.client.updateEvent({ id: 1, revision: (await draftOf(eva)).revision, title: 'Small boats' })
  const page = await eva.open('/console/sessions/1/move')
  expect(page.words).toContain('What else is not published of it, and would be: Title: Boats → Small boats')
  await eva.submit(page, 'Move and publish', { day: '2030-05-03' })
  expect(await seenBy(t)).toMatchObject({ title: 'Small boats', starts_at: '2030-05-03T09:00:00+02:00' })
  // It is there already, and everything is published.
  expect((await eva.submit('/console/sessions/1/move', 'Move and publish')).words).toContain('Nothing was changed.')
  await eva.submit('/console/sessions/1/move', 'Move', { time: '08:00' })
  await eva.submit('/console/sessions/1/move', 'Move and publish')
  expect((await seenBy(t)).starts_at).toBe('2030-05-03T08:00:00+02:00')
})

test('a move that cannot be saved publishes nothing, and keeps what was chosen', async () => {
  await using t = await start()
  const { eva } = t
  const tom = await signInToConsole(t, 'tom@summit.example', ['editor'])
  const page = await tom.open('/console/sessions/1/move')
  await eva.submit('/console/sessions/1/move', 'Move', { time: '14:00' })
  const stale = await tom.submit(page, 'Move and publish', { room_id: '2' })
  expect([stale.status, stale.words]).toEqual([
    409,
    expect.stringContaining('This was changed meanwhile, by somebody else or in another tab.'),
  ])
  expect(stale.text).toMatch(/<option value="2" selected>/)
  expect(stale.text).toContain('value="14:00"')
  expect(await seenBy(t)).toMatchObject({ starts_at: '2030-05-02T09:00:00+02:00', room: { name: 'Hall 1' } })
  await tom.submit(stale, 'Move and publish')
  expect(await seenBy(t)).toMatchObject({ starts_at: '2030-05-02T14:00:00+02:00', room: { name: 'Hall 2' } })
  const halfEmpty = await tom.submit('/console/sessions/1/move', 'Move', { time: '' })
  expect([halfEmpty.status, halfEmpty.words]).toEqual([422, expect.stringContaining('Choose a time, too.')])
  await tom.submit('/console/sessions/1/move', 'Move', { day: '', time: '', room_id: '' })
  expect(await draftOf(eva)).toMatchObject({ starts_at: null, ends_at: null, room_id: null })
})

test('a session that was never published is moved, and published where the program is', async () => {
  await using t = await start()
  await t.eva.client.createEvent({ title: 'Ropes' })
  const page = await t.eva.open('/console/sessions/4/move')
  expect(page.words).not.toContain('Move and publish')
  expect(page.text).toContain('<button class="primary">Move</button>')
  expect(page.words).toContain('Attendees do not see this session until you publish it.')
})

test('a date that cannot be is no time', async () => {
  await using t = await start()
  for (const day of ['%2B275760-09-12', '-271821-04-20', '2030-02-31', '<b>', '']) {
    const { status } = await t.eva.open(`/console/sessions/1/move?day=${day}&time=23:59`)
    expect([day, status]).toEqual([day, 200])
  }
})
