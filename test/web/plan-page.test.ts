import { expect, test } from 'vitest'
import { startAppWithKeys } from '../access/app-with-keys.ts'
import { signInAsOrganizer, signInAsParticipant } from '../access/sessions.ts'
import { startTestApp, type TestApp } from '../app.ts'
import * as make from '../make.ts'
import { addConference, readPage } from './read-page.ts'

/** Sessions of two days, of which some overlap. */
async function addSessions(t: TestApp): Promise<void> {
  await addConference(t)
  const add = (title: string, day: string, from: string, to: string, values = {}) =>
    make.event(t, { title, date_from: `2030-05-${day} ${from}:00`, date_to: `2030-05-${day} ${to}:00`, ...values })
  await add('Small boats', '02', '10:30', '11:45', { venue: 'Hall 1' })
  await add('Knots', '02', '11:00', '12:00', { venue: 'Hall 2' })
  await add('Sails', '02', '13:15', '14:00', { venue: 'Hall 1' })
  await add('Tea', '02', '14:14', '15:00')
  await add('Party', '03', '20:00', '23:00')
  await add('Quiz', '03', '19:00', '20:00')
  await add('Anchors', '03', '20:00', '21:00', { is_cancelled: 1 })
}

async function startWithSessions(): Promise<TestApp> {
  const t = await startTestApp()
  await addSessions(t)
  return t
}

test('a plan has its sessions by day, says which overlap, and where there is time between them', async () => {
  await using t = await startWithSessions()
  const { words, text, headers, status } = await readPage(t, '/plan?sessions=5,1,2,3,4')
  expect(status).toBe(200)
  expect(words).toContain(
    '5 sessions, 1 overlap Add all to my calendar This plan as a link ' +
      'Thursday 2 May Small boats 10:30–11:45 Hall 1 Overlaps with “Knots”, 11:00–11:45 ' +
      'Knots 11:00–12:00 Hall 2 Overlaps with “Small boats”, 11:00–11:45 ' +
      '1 h 15 min free Sails 13:15–14:00 Hall 1 Tea 14:14–15:00 Friday 3 May Party 20:00–23:00',
  )
  expect(headers.get('cache-control')).toBe('private, no-store')
  expect(headers.get('x-robots-tag')).toBe('noindex')
  const [, calendar = ''] = /href="(\/api\/program\/export\/schedule\.ics[^"]*)" download/.exec(text) ?? []
  const file = await (await fetch(t.url + calendar)).text()
  expect(
    file
      .match(/^SUMMARY:.*/gm)
      ?.map((line) => line.trim())
      .sort(),
  ).toEqual(['Knots', 'Party', 'Sails', 'Small boats', 'Tea'].map((title) => `SUMMARY:${title}`))
})

test('sessions one after the other do not overlap', async () => {
  await using t = await startWithSessions()
  expect((await readPage(t, '/plan?sessions=5,6')).words).toContain('Friday 3 May Quiz 19:00–20:00 Party 20:00–23:00')
})

test('cancelled sessions have a section of their own, and what is not public is left out without a word', async () => {
  await using t = await startWithSessions()
  const { words } = await readPage(t, '/plan?sessions=7,404,x,-1,1,1,<b>,5')
  expect(words).toContain(
    '2 sessions Add all to my calendar This plan as a link Thursday 2 May Small boats 10:30–11:45 Hall 1 Friday 3 May Party',
  )
  expect(words).toContain('Cancelled sessions Anchors Cancelled Fri 20:00–21:00')
  expect((await readPage(t, '/plan?sessions=404')).words).toContain('None of these sessions is in the program')
})

test('nothing is said of overlaps and breaks after a session of which nobody knows when it ends', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const day = (time: string) => `2030-05-02 ${time}:00`
  await make.event(t, { title: 'Open end', date_from: day('09:00'), date_to: day('09:00') })
  await make.event(t, { title: 'Lunch', date_from: day('12:00'), date_to: day('13:00') })
  await make.event(t, { title: 'Inside', date_from: day('12:30'), date_to: day('12:30') })
  await make.event(t, { title: 'Later', date_from: day('14:00'), date_to: day('15:00') })
  const { words } = await readPage(t, '/plan?sessions=1,2,3,4')
  expect(words).toContain('Open end 09:00 Lunch 12:00–13:00 Overlaps with “Inside”, 12:30')
  expect(words).toContain('Inside 12:30 Overlaps with “Lunch”, 12:30 1 h free Later')
  expect(words.match(/free/g)).toHaveLength(1)
})

test('parts of a session are at their times, and do not overlap with their session', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const parts = ['02', '03'].map((day) => ({ date: `2030-05-${day}`, time: '09:00:00', title: `Day ${day}` }))
  await make.event(t, { title: 'Workshop' }, parts)
  const { words } = await readPage(t, '/plan?sessions=1')
  expect(words).toContain('1 session')
  expect(words).toContain('Thursday 2 May Workshop Day 02 09:00 Friday 3 May Workshop Day 03 09:00')
  expect(words).not.toContain('Overlaps')
})

test('it shows 200 sessions at most, and says so', async () => {
  await using t = await startTestApp()
  await addConference(t)
  for (let n = 1; n <= 201; n++) await make.event(t, { title: `Talk ${n}.` })
  const ids = Array.from({ length: 201 }, (_, index) => index + 1)
  const { text, words } = await readPage(t, `/plan?sessions=${ids.join(',')}`)
  expect(text.match(/data-session=/g)).toHaveLength(200)
  expect(words).toContain('A plan shows 200 sessions at most.')
})

test('without a list, it says what a plan is, and its script asks for the stars of the browser', async () => {
  await using t = await startWithSessions()
  const { words, text } = await readPage(t, '/plan')
  expect(text).toContain('<div id="plan" data-plan="">')
  expect(words).toContain('My plan Your plan is empty Tap the star of a session')
  expect(words).toContain('Your stars are kept in this browser.')
  expect(words).toContain('Stars need JavaScript.')
  // A plan that was sent is none of this browser.
  expect((await readPage(t, '/plan?sessions=1')).text).not.toContain('data-plan')
})

test('participants see what they have starred on any device, and nobody else does', async () => {
  await using t = await startAppWithKeys('public')
  await addSessions(t)
  await t.ana.client.updateStars({ add: [1, 5, 7] })
  await t.ben.client.updateStars({ add: [3] })
  const [ana, ben] = [await signInAsParticipant(t, t.ana.participant), await signInAsParticipant(t, t.ben.participant)]
  const ofAna = await readPage(t, '/plan', ana.headers)
  expect(ofAna.text).toContain('data-plan="1,5,7"')
  expect(ofAna.words).toContain('2 sessions')
  expect(ofAna.words).toContain('kept with your account')
  expect(ofAna.headers.get('cache-control')).toBe('private, no-store')
  expect(ofAna.headers.get('etag')).toBe(null)
  const ofBen = await readPage(t, '/plan', ben.headers)
  expect(ofBen.text).toContain('data-plan="3"')
  const organizer = await signInAsOrganizer(t, 'eva@summit.example', ['editor'])
  for (const headers of [{}, organizer.headers])
    expect((await readPage(t, '/plan', headers)).text).toContain('data-plan=""')
  expect((await readPage(t, '/plan')).text).toContain('/sign-in?next=%2Fplan')
  await t.ana.client.updateStars({ remove: [5] })
  expect((await readPage(t, '/plan', ana.headers)).text).toContain('data-plan="1,7"')
})
