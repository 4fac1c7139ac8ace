import { expect, test } from 'vitest'
import { startAppWithKeys } from '../access/app-with-keys.ts'
import { startTestApp } from '../app.ts'
import * as make from '../make.ts'
import { addConference, hours, minutes, readPage } from './read-page.ts'

// Tests start at 2030-05-01 11:00 in Berlin.

const at = (day: string, from: string, to = from) => ({
  date_from: `2030-05-${day} ${from}:00`,
  date_to: `2030-05-${day} ${to}:00`,
})

/** Two days of a conference in two halls. */
async function startConference(settings: Record<string, string> = {}) {
  const t = await startTestApp(settings)
  await addConference(t)
  await make.event(t, { title: 'Small boats', venue: 'Hall 1', ...at('02', '09:00', '10:00') })
  await make.event(t, { title: 'Knots', venue: 'Hall 2', ...at('02', '10:00', '11:00') })
  await make.event(t, { title: 'Sails', venue: 'Hall 1', ...at('03', '10:00', '11:00') })
  return t
}

const wordsAt = async (t: Awaited<ReturnType<typeof startConference>>) => (await readPage(t, '/')).words

test('before, during and after the conference, the first page shows what fits then', async () => {
  await using t = await startConference()
  expect(await wordsAt(t)).toBe(
    'Summit 2030 2 – 3 May 2030 Begins on Thursday 2 May Small boats 09:00–10:00 Hall 1 Knots 10:00–11:00 Hall 2 ' +
      'Whole program',
  )
  t.advance(hours(22))
  expect(await wordsAt(t)).toContain('On now Small boats 09:00–10:00 Hall 1 Next Knots 10:00–11:00 Hall 2 Whole day')
  t.advance(minutes(60))
  expect(await wordsAt(t)).toContain('On now Knots 10:00–11:00 Hall 2 Next, on Friday 3 May Sails')
  t.advance(minutes(60))
  expect(await wordsAt(t)).toContain('Nothing is on right now. Next, on Friday 3 May Sails')
  // At midnight the next day is today.
  t.advance(hours(13) - 1)
  expect(await wordsAt(t)).toContain('Next, on Friday 3 May Sails')
  t.advance(1)
  expect(await wordsAt(t)).toContain('Nothing is on right now. Next Sails')
  t.advance(hours(11))
  expect(await wordsAt(t)).toMatch(/^Summit 2030 2 – 3 May 2030 It is over Thank you/)
})

test('a browser has the page until a session starts or ends', async () => {
  await using t = await startConference()
  t.advance(hours(22))
  const first = await readPage(t, '/')
  const etag = first.headers.get('etag') ?? ''
  expect(first.text).toContain('data-until="2030-05-02T08:00:00.000Z"')
  t.advance(hours(1) - 1)
  expect((await readPage(t, '/', { 'if-none-match': etag })).status).toBe(304)
  t.advance(1)
  const second = await readPage(t, '/', { 'if-none-match': etag })
  expect([second.status, second.headers.get('etag') === etag]).toEqual([200, false])
})

test('a part of a session has a start only, and the conference lasts until the end of that day', async () => {
  await using t = await startTestApp()
  await addConference(t)
  const parts = ['09:00:00', '14:00:00'].map((time, index) => ({
    date: '2030-05-02',
    time,
    title: `Part ${index + 1}`,
  }))
  await make.event(t, { title: 'Workshop', ...at('02', '09:00', '18:00') }, parts)
  expect((await readPage(t, '/')).words).toContain('Workshop Part 1 09:00 Workshop Part 2 14:00')
  t.advance(hours(22) + 1)
  expect((await readPage(t, '/')).words).toContain('Nothing is on right now. Next Workshop Part 2 14:00')
  t.advance(hours(5))
  expect((await readPage(t, '/')).words).toContain('Nothing is on right now.')
  t.advance(hours(10))
  expect((await readPage(t, '/')).words).toContain('It is over')
})

test('changes of the last day are on it for a day', async () => {
  await using t = await startAppWithKeys('public')
  await addConference(t)
  const { client } = await t.issueKey({ roles: ['editor'] })
  const { event } = await client.createEvent({
    title: 'Small boats',
    starts_at: '2030-05-01 10:00',
    ends_at: '2030-05-09 10:00',
  })
  await client.publish({})
  expect((await readPage(t, '/')).words).not.toContain('Latest changes')
  await client.updateEvent({
    id: Number(event.id),
    revision: (await client.getDraftEvent({ id: Number(event.id) })).event.revision,
    starts_at: '2030-05-01 10:30',
    ends_at: '2030-05-09 10:00',
  })
  await client.publish({})
  expect((await readPage(t, '/')).words).toContain('Latest changes Moved Small boats Wed 10:00 → Wed 10:30 All changes')
  t.advance(hours(24) - 1)
  expect((await readPage(t, '/')).words).toContain('Latest changes')
  t.advance(1)
  expect((await readPage(t, '/')).words).not.toContain('Latest changes')
})

test('it has the newest three posts, with times of the conference, and changes with them', async () => {
  await using t = await startTestApp()
  await addConference(t)
  await make.participant(t)
  for (const name of ['First', 'Second', 'Third', '<b>Fourth</b>']) await make.topic(t, { name, body: 'Bring a mug' })
  const page = await readPage(t, '/')
  expect(page.words).toBe(
    'Summit 2030 Welcome The organizers have not published a program yet. From the feed ' +
      '<b>Fourth</b> Bring a mug Ana Cruz · 1 May 2030, 11:00 Third Bring a mug Ana Cruz · 1 May 2030, 11:00 ' +
      'Second Bring a mug Ana Cruz · 1 May 2030, 11:00 All posts',
  )
  await t.client.deleteTopic({ topic_id: 3 })
  expect((await readPage(t, '/')).words).not.toContain('Third')
})

test('a cancelled session is not on', async () => {
  await using t = await startConference()
  await make.event(t, { title: 'Cancelled: Anchors', ...at('02', '09:00', '10:00'), is_cancelled: 1 })
  t.advance(hours(22))
  expect(await wordsAt(t)).not.toContain('Anchors')
})

test('only the first sessions of many are listed', async () => {
  await using t = await startTestApp()
  await addConference(t)
  for (let n = 1; n <= 15; n++) await make.event(t, { title: `Talk ${n}.`, ...at('02', '09:00', '10:00') })
  t.advance(hours(22))
  const { words } = await readPage(t, '/')
  expect(words.match(/Talk/g)).toHaveLength(12)
  expect(words).toContain('3 more on now')
})

test('where ACCESS is members, a visitor signs in first and comes back', async () => {
  await using t = await startAppWithKeys('members')
  expect(await readPage(t, '/')).toMatchObject({ status: 303, location: '/sign-in?next=%2F' })
})
