import { expect, test } from 'vitest'
import { startTestApp } from '../../app.ts'
import { addConference } from '../read-page.ts'
import { type Organizer, signInToConsole } from './organizer.ts'

const at = (day: number, from: string, to: string) => ({
  starts_at: `2030-05-0${day} ${from}`,
  ends_at: `2030-05-0${day} ${to}`,
})

/** A program of two days in two rooms, all of it published, as an organizer sees it. */
async function startWithProgram() {
  const t = await startTestApp()
  await addConference(t)
  const eva = await signInToConsole(t)
  const { client } = eva
  const { rooms } = await client.setRooms({ revision: 0, rooms: [{ name: 'Großer Saal' }, { name: 'Garden' }] })
  const [hall = 0, garden = 0] = rooms.list.map(({ id }) => Number(id))
  const ana = Number((await client.createSpeaker({ name: 'Ana Núñez' })).speaker.id)
  const create = async (event: Parameters<typeof client.createEvent>[0]) =>
    Number((await client.createEvent(event)).event.id)
  const boats = await create({ title: 'Boats', room_id: hall, speaker_ids: [ana], ...at(2, '11:00', '12:00') })
  const knots = await create({ title: 'Knots', room_id: hall, ...at(2, '09:00', '10:00') })
  const ropes = await create({ title: 'Ropes', room_id: garden, ...at(3, '09:00', '10:00') })
  await client.publish({})
  const change = async (id: number, members: object) => {
    const { revision } = (await client.getDraftEvent({ id })).event
    await client.updateEvent({ id, revision, ...members })
  }
  return { ...t, eva, client, hall, garden, ana, boats, knots, ropes, create, change }
}

const list = '/console/sessions'

/** The titles in a list, in order. */
const titlesIn = async (eva: Organizer, path: string): Promise<string[]> =>
  [...(await eva.open(path)).text.matchAll(/<h3>.*?>([^<]*)<\/a><\/h3>/g)].map(([, title = '']) => title)

test('an editor finds each session with day, time, room and speakers, in the order of the program', async () => {
  await using t = await startWithProgram()
  const { words, text } = await t.eva.open(list)
  expect(words).toContain(
    'Thursday 2 May Knots 09:00–10:00 Großer Saal Boats 11:00–12:00 Großer Saal Ana Núñez ' +
      'Friday 3 May Ropes 09:00–10:00 Garden',
  )
  expect(text).toContain(`href="/console/sessions/${t.boats}"`)
  expect(text).toContain('<a class="button primary" href="/console/sessions/new">New session</a>')
  expect(words).not.toContain('Not published')
})

test('what starts after midnight is listed on the day that the program gives it', async () => {
  await using t = await startWithProgram()
  await t.create({ title: 'Low tide', ...at(3, '00:10', '00:20') })
  await t.create({ title: 'High tide', day: '2030-05-02', ...at(3, '00:30', '01:30') })
  expect((await t.eva.open(list)).words).toMatch(/2 May Knots .* Boats .* High tide .* 3 May Low tide .* Ropes/)
  expect((await t.eva.open(`${list}?q=tide`)).words).toMatch(/2 May High tide .* 3 May Low tide/)
})

test('what is not published is marked, counted, and found by what it is', async () => {
  await using t = await startWithProgram()
  await t.create({ title: 'Sails' })
  await t.change(t.boats, { title: 'Large boats' })
  await t.change(t.knots, { is_cancelled: true })
  await t.client.deleteEvent({ id: t.ropes, revision: (await t.client.getDraftEvent({ id: t.ropes })).event.revision })
  const { words } = await t.eva.open(list)
  expect(words).toContain(
    'All 4 Not published 4 New 1 Changed 2 To be deleted 1 Without a time 1 Without a room 1 Cancelled 1',
  )
  expect(words).toContain('Knots Changed Cancelled 09:00')
  expect(words).toContain('Large boats Changed 11:00')
  expect(words).toContain('Ropes To be deleted 09:00')
  expect(words).toContain('Without a day Sails New No time No room')
  const found = async (state: string) => titlesIn(t.eva, `${list}?state=${state}`)
  expect(await found('unpublished')).toEqual(['Knots', 'Large boats', 'Ropes', 'Sails'])
  expect(await found('new')).toEqual(['Sails'])
  expect(await found('changed')).toEqual(['Knots', 'Large boats'])
  expect(await found('removed')).toEqual(['Ropes'])
  expect(await found('timeless')).toEqual(['Sails'])
  expect(await found('roomless')).toEqual(['Sails'])
  expect(await found('cancelled')).toEqual(['Knots'])
})

test('a clash says with what, in both sessions, and leads to the other', async () => {
  await using t = await startWithProgram()
  await t.create({ title: 'Sails', room_id: t.hall, ...at(2, '11:30', '12:30') })
  await t.create({ title: 'Masts', room_id: t.garden, speaker_ids: [t.ana], ...at(2, '11:00', '11:30') })
  const { words, text } = await t.eva.open(`${list}?state=clash`)
  expect(words).toContain('Clashing 3')
  expect(words).toContain(
    'Boats Clash Same room: Sails, 2 May, 11:30–12:30 Clash Same speaker, Ana Núñez: Masts, 2 May, 11:00–11:30',
  )
  expect(words).toContain('Sails New Clash Same room: Boats, 2 May, 11:00–12:00')
  expect(words).toContain('Masts New Clash Same speaker, Ana Núñez: Boats, 2 May, 11:00–12:00')
  expect(words).not.toContain('Knots')
  expect(text.match(new RegExp(`href="/console/sessions/${t.boats}"`, 'g'))).toHaveLength(3)
})

test.each([
  ['boats', ['Boats']],
  ['nunez', ['Boats']],
  ['GROSSER saal', ['Knots', 'Boats']],
  ['garden', ['Ropes']],
  ['boats garden', []],
])('a search for “%s” looks at titles, speakers and rooms', async (q, titles) => {
  await using t = await startWithProgram()
  expect(await titlesIn(t.eva, `${list}?${new URLSearchParams({ q })}`)).toEqual(titles)
})

test('filters and a search go together, and each number is that of the list behind it', async () => {
  await using t = await startWithProgram()
  await t.change(t.knots, { title: 'Boat knots' })
  const { words, text } = await t.eva.open(`${list}?q=boat&room=${t.hall}&day=2030-05-02`)
  expect(words).toContain('All 2 Not published 1 Changed 1')
  expect(words).toContain('2 of 3 sessions')
  expect(text).toContain(`href="/console/sessions?q=boat&#38;state=changed&#38;day=2030-05-02&#38;room=${t.hall}"`)
  expect(text).toMatch(new RegExp(`<input type="hidden" name="room" value="${t.hall}">`))
  expect(text).toContain(`<option value="${t.hall}" selected>Großer Saal (2)</option>`)
  expect(await titlesIn(t.eva, `${list}?q=boat&state=changed`)).toEqual(['Boat knots'])
  const nothing = await t.eva.open(`${list}?room=999&track=x&state=constructor`)
  expect(nothing.words).toContain('No session fits all of this. Show all')
})

test('without a session, the page leads to an import and to the first session', async () => {
  await using t = await startTestApp()
  const eva = await signInToConsole(t)
  const { words, text } = await eva.open(list)
  expect(words).toContain('No sessions yet')
  expect(text).toContain('href="/console/import"')
  expect(text).toContain('href="/console/sessions/new"')
})

test('a long program has 50 sessions a page, also of a search', async () => {
  await using t = await startWithProgram()
  for (let at = 0; at < 101; at++) await t.create({ title: `Workshop ${at}` })
  expect(await titlesIn(t.eva, list)).toHaveLength(50)
  const { text } = await t.eva.open(`${list}?q=workshop&from=50`)
  expect(text).toContain('href="/console/sessions?q=workshop&#38;from=100"')
  expect(text).toContain('rel="prev" href="/console/sessions?q=workshop"')
  expect(await titlesIn(t.eva, `${list}?q=workshop&from=100`)).toEqual(['Workshop 100'])
})

test('only those who edit the program may see the list', async () => {
  await using t = await startWithProgram()
  const mia = await signInToConsole(t, 'mia@summit.example', ['reader'])
  expect((await mia.open(list)).status).toBe(403)
})
