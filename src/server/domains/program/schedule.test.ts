import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { inCommand } from '../../../../test/in-command.ts'
import * as make from '../../../../test/make.ts'
import { Schedule, ScheduleEventDetails } from '../../../contract/schedule.ts'
import type { EventId, RoomId, SpeakerId } from '../../core/ids.ts'
import { addEvent, cancelEvent, updateEvent } from './events.ts'
import { sanitizeHtml } from './html.ts'
import { addRecord, updateRecord } from './records.ts'

/** Both are checked against the contract. */
const readSchedule = async (t: TestApp, texts?: boolean) => {
  const { schedule } = await t.client.getSchedule(texts === undefined ? {} : { texts })
  expect(Compile(Schedule).Errors(schedule)).toEqual([])
  return schedule
}
const readEvent = async (t: TestApp, id: number) => {
  const { event } = await t.client.getScheduleEvent({ id })
  expect(Compile(ScheduleEventDetails).Errors(event)).toEqual([])
  return event
}

const conference = {
  title: 'Summit 2030',
  acronym: 's30',
  url: 'https://summit.example/2030',
  time_zone: 'Europe/Berlin',
  first_day: '2030-05-01',
  last_day: '2030-05-04',
  slot_minutes: 10,
}

/** A conference with a workshop by two people. */
async function startConference(): Promise<TestApp> {
  const t = await startTestApp({ TIMEZONE: 'Asia/Manila' })
  await inCommand(t, (scope) => addRecord(scope, 'conference', conference))
  const track_id = await make.track(t, { name: 'Security', color: '#0b57d0' })
  await inCommand(t, async (scope) => {
    await addRecord(scope, 'room', { name: 'Upstairs', building: null, sort: 2 })
    const hall = { name: 'Hall 1', building: 'Congress Centre', address: '1 Summit Street', sort: 1 }
    const room_id = (await addRecord(scope, 'room', { ...hall, capacity: 300, description: 'By lift' })) as RoomId
    const ana = {
      ...{
        name: 'Ana Cruz',
        position: 'Engineer',
        company: 'Summit Inc.',
        guid: 'c7b2b7b0-0000-4000-8000-00000000000a',
      },
      ...{ biography: sanitizeHtml('<p>Builds bridges.</p>'), photo: 'https://photos.example/ana.jpg' },
      links: JSON.stringify([{ title: 'Blog', url: 'https://ana.example/' }]),
    }
    const speakers = [
      (await addRecord(scope, 'speaker', { name: 'Ben' })) as SpeakerId,
      (await addRecord(scope, 'speaker', ana)) as SpeakerId,
    ]
    const workshop = {
      ...{ title: 'Workshop', subtitle: 'By hand', guid: 'c7b2b7b0-0000-4000-8000-000000000001' },
      ...{ date_from: '2030-05-02 09:00:00', date_to: '2030-05-02 10:30:00', program_date: '2030-05-02' },
      ...{ program_time: '09:00:00' },
      ...{ type: 'workshop', language: 'de-CH', tags: '["beginners","tools"]', code: 'ABC123', slug: 's30-1-workshop' },
      ...{ license: 'CC BY 4.0', do_not_record: 1, banner: 'program/1/banner-1.jpg', room_id, track_id },
      links: '[{"rel":"feedback","title":"","url":"https://summit.example/feedback/1"}]',
      ...{ description: sanitizeHtml('<p>What it is</p>'), details: sanitizeHtml('<p>More of it</p>') },
    }
    await addEvent(scope, { ...workshop, speakers: speakers.toReversed() }, [
      { date: '2030-05-02', time: '09:00:00', title: 'Workshop' },
    ])
  })
  return t
}

/** A random one. */
const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

const ben = {
  ...{ id: '1', guid: expect.stringMatching(uuid), name: 'Ben', position: '', company: '', photo_url: null },
}
const ana = {
  ...{ id: '2', guid: 'c7b2b7b0-0000-4000-8000-00000000000a', name: 'Ana Cruz', position: 'Engineer' },
  ...{ company: 'Summit Inc.', photo_url: 'https://photos.example/ana.jpg' },
}
const hall = {
  ...{
    id: '2',
    guid: expect.stringMatching(uuid),
    name: 'Hall 1',
    building: 'Congress Centre',
    address: '1 Summit Street',
  },
  ...{ capacity: 300, description: 'By lift' },
}
const security = { id: '1', name: 'Security', color: '#0b57d0' }
const workshop = (t: TestApp) => ({
  ...{ id: '1', guid: 'c7b2b7b0-0000-4000-8000-000000000001', title: 'Workshop', subtitle: 'By hand' },
  ...{ is_cancelled: false, day: '2030-05-02' },
  ...{ starts_at: '2030-05-02T09:00:00+02:00', ends_at: '2030-05-02T10:30:00+02:00' },
  ...{ type: 'workshop', language: 'de-CH', tags: ['beginners', 'tools'] },
  ...{ banner_url: `${t.url}/api/program/banner/get/1`, photo_url: null },
  ...{ code: 'ABC123', slug: 's30-1-workshop', license: 'CC BY 4.0', do_not_record: true },
  activities: [],
})
const feedbackLinks = [{ rel: 'feedback', title: '', url: 'https://summit.example/feedback/1' }]
const blog = [{ title: 'Blog', url: 'https://ana.example/' }]

test('an attendee reads the whole program in one document', async () => {
  await using t = await startConference()
  expect(await readSchedule(t)).toEqual({
    conference: { ...conference, hue: null, logo_url: null },
    days: [{ date: '2030-05-02', starts_at: '2030-05-02T09:00:00+02:00', ends_at: '2030-05-02T10:30:00+02:00' }],
    // Not those in which nothing takes place.
    rooms: [hall],
    tracks: [security],
    speakers: [ben, ana],
    events: [{ ...workshop(t), room_id: '2', track_id: '1', speaker_ids: ['2', '1'] }],
  })
})

test('with texts, it has descriptions, details, biographies and links', async () => {
  await using t = await startConference()
  const { events, speakers } = await readSchedule(t, true)
  expect(events).toMatchObject([
    { description: '<p>What it is</p>', details: '<p>More of it</p>', links: feedbackLinks },
  ])
  expect(speakers).toMatchObject([
    { biography: '', links: [] },
    { biography: '<p>Builds bridges.</p>', links: blog },
  ])
  expect(await readSchedule(t, false)).toEqual(await readSchedule(t))
})

test('an event on its own has its room, track and speakers as a whole, and its texts', async () => {
  await using t = await startConference()
  expect(await readEvent(t, 1)).toEqual({
    ...workshop(t),
    room: hall,
    track: security,
    speakers: [
      { ...ana, biography: '<p>Builds bridges.</p>', links: blog },
      { ...ben, biography: '', links: [] },
    ],
    description: '<p>What it is</p>',
    details: '<p>More of it</p>',
    links: feedbackLinks,
  })
})

test('where nothing is known of the conference, its zone is that of the server, and its days are those of events', async () => {
  await using t = await startTestApp({ TIMEZONE: 'Asia/Manila' })
  const empty = await readSchedule(t)
  expect(empty).toEqual({
    conference: {
      ...{ title: '', acronym: '', url: '', time_zone: 'Asia/Manila' },
      ...{ first_day: null, last_day: null, slot_minutes: null, hue: null, logo_url: null },
    },
    ...{ days: [], rooms: [], tracks: [], speakers: [], events: [] },
  })
  await make.event(t, { date_from: '2030-05-03 09:00:00', date_to: null })
  await make.event(t)
  const { conference, events } = await readSchedule(t)
  expect(conference).toMatchObject({ first_day: '2030-05-02', last_day: '2030-05-03' })
  expect(events.map(({ starts_at, ends_at }) => [starts_at, ends_at])).toEqual([
    ['2030-05-02T09:00:00+08:00', '2030-05-02T10:00:00+08:00'],
    ['2030-05-03T09:00:00+08:00', null],
  ])
})

test('an event without room, track, speakers or time has none, and comes last', async () => {
  await using t = await startTestApp()
  await make.event(t, { title: 'To be announced', date_from: null, date_to: null })
  await make.event(t, { title: 'On a day', date_from: null, date_to: null, program_date: '2030-05-04' })
  await make.event(t, { title: 'Opening' })
  const { events, days } = await readSchedule(t)
  expect(events.map(({ title, day, starts_at }) => [title, day, starts_at])).toEqual([
    ['Opening', '2030-05-02', '2030-05-02T09:00:00+00:00'],
    ['To be announced', null, null],
    ['On a day', '2030-05-04', null],
  ])
  expect(events[1]).toMatchObject({ ends_at: null, room_id: null, track_id: null, speaker_ids: [] })
  expect(days.slice(1)).toEqual([{ date: '2030-05-04', starts_at: null, ends_at: null }])
  expect(await readEvent(t, 1)).toMatchObject({ room: null, track: null, speakers: [], activities: [] })
})

test('an event of several parts has them as activities, on their days', async () => {
  await using t = await startTestApp()
  const itself = { title: 'Main stage', program_date: '2030-05-02', program_time: '09:00:00' }
  await make.event(t, { ...itself, date_from: '2030-05-02 09:00:00', date_to: '2030-05-04 16:00:00' }, [
    { date: '2030-05-02', time: '09:00:00', title: 'Welcome' },
    { date: '2030-05-04', time: '10:00:00', title: 'Repair' },
    { date: '2030-05-04', time: '00:30:00', title: 'Last bus' },
  ])
  const single = [{ date: '2030-05-02', time: '09:00:00', title: 'Breakfast' }]
  await make.event(t, { ...itself, title: 'Breakfast' }, single)
  const activities = [
    { day: '2030-05-02', time: '09:00:00', title: 'Welcome' },
    { day: '2030-05-04', time: '10:00:00', title: 'Repair' },
    { day: '2030-05-04', time: '00:30:00', title: 'Last bus' },
  ]
  const { events, days } = await readSchedule(t)
  expect(events.map((event) => event.activities)).toEqual([activities, []])
  expect((await readEvent(t, 1)).activities).toEqual(activities)
  expect((await readEvent(t, 2)).activities).toEqual([])
  expect(days).toEqual([
    { date: '2030-05-02', starts_at: '2030-05-02T09:00:00+00:00', ends_at: '2030-05-02T10:00:00+00:00' },
    { date: '2030-05-04', starts_at: null, ends_at: null },
  ])
})

test('a session after midnight is one of the day before', async () => {
  await using t = await startTestApp({ TIMEZONE: 'America/New_York' })
  const after = { program_date: '2030-05-02', date_from: '2030-05-03 00:30:00', date_to: '2030-05-03 02:00:00' }
  await make.event(t, { title: 'Party', ...after })
  await make.event(t, { title: 'Breakfast', date_from: '2030-05-03 08:00:00', date_to: '2030-05-03 09:00:00' })
  await make.event(t, { title: 'Opening', program_date: '2030-05-02' })
  const { days, events } = await readSchedule(t)
  expect(events.map(({ title, day }) => [title, day])).toEqual([
    ['Opening', '2030-05-02'],
    ['Party', '2030-05-02'],
    ['Breakfast', '2030-05-03'],
  ])
  expect(days).toEqual([
    { date: '2030-05-02', starts_at: '2030-05-02T09:00:00-04:00', ends_at: '2030-05-03T02:00:00-04:00' },
    { date: '2030-05-03', starts_at: '2030-05-03T08:00:00-04:00', ends_at: '2030-05-03T09:00:00-04:00' },
  ])
})

test.each([
  ['before the change to summer', 'Europe/Berlin', '03-31 01:30 +01:00', '03-31 03:30 +02:00'],
  ['at a time that is skipped', 'Europe/Berlin', '03-31 02:30 +01:00', '03-31 04:00 +02:00'],
  ['at one, until less than an hour later', 'Europe/Berlin', '03-31 02:30 +01:00', '03-31 03:00 +01:00'],
  ['at the first of two', 'Europe/Berlin', '10-27 02:30 +02:00', '10-27 03:30 +01:00'],
  ['after the change to winter', 'Europe/Berlin', '10-27 03:00 +01:00', '10-27 04:00 +01:00'],
  ['over a change by half an hour', 'Australia/Lord_Howe', '04-07 01:15 +11:00', '04-07 03:00 +10:30'],
  ['at an offset of half an hour', 'America/St_Johns', '05-02 09:00 -02:30', '05-02 10:00 -02:30'],
] as const)('a session %s has the offset of its time (%s)', async (_, time_zone, start, end) => {
  await using t = await startTestApp()
  await inCommand(t, (scope) => addRecord(scope, 'conference', { time_zone }))
  const [[fromDay, from, ofStart], [toDay, to, ofEnd]] = [start.split(' '), end.split(' ')]
  await make.event(t, { date_from: `2030-${fromDay} ${from}:00`, date_to: `2030-${toDay} ${to}:00` })
  const times = { starts_at: `2030-${fromDay}T${from}:00${ofStart}`, ends_at: `2030-${toDay}T${to}:00${ofEnd}` }
  const { events, days } = await readSchedule(t)
  expect(events).toMatchObject([times])
  expect(days).toMatchObject([times])
  expect(await readEvent(t, 1)).toMatchObject(times)
})

test('a cancelled event stays, with its title as it was', async () => {
  await using t = await startTestApp()
  await make.event(t, { title: 'Opening' })
  await inCommand(t, (scope) => cancelEvent(scope, 1 as EventId))
  const cancelled = { title: 'Opening', is_cancelled: true }
  expect((await readSchedule(t)).events).toMatchObject([cancelled])
  expect(await readEvent(t, 1)).toMatchObject(cancelled)
  expect((await t.client.getEvent({ id: 1 })).programs.title).toBe('Cancelled: Opening')
})

test.each([
  ['from right to left', 'مؤتمر ‏القمة‏ – שלום (1)', 'دانا الخطيب'],
  ['with bidirectional controls', 'a\u202Eb\u2066c\u2069', '\u202EevE'],
  ['of many code points', '👩🏽‍🚀'.repeat(100), 'Z̷̧͇a̷l̵g̶o̶'],
  ['like markup', '<script>alert(1)</script>&amp;"\'', '</title>$1'],
  ['with control characters', 'a\u0001b\u2028c\u007f', '\t\n'],
  ['named like a member', '__proto__', 'constructor'],
])('text %s is returned as it is stored', async (_, title, name) => {
  await using t = await startTestApp()
  const related = { location_name: name, location_address: title, venue: title, speaker: name, position: title }
  await make.event(t, { title, subtitle: title, type: name, tags: JSON.stringify([title, name]), ...related })
  const { events, rooms, speakers } = await readSchedule(t)
  const own = { title, subtitle: title, type: name, tags: [title, name] }
  expect(events).toMatchObject([own])
  expect(rooms).toMatchObject([{ name: title, building: name, address: title }])
  expect(speakers).toMatchObject([{ name, position: title }])
  expect(await readEvent(t, 1)).toMatchObject({ ...own, room: { name: title }, speakers: [{ name }] })
})

test('changed names, and another room, are in the next response', async () => {
  await using t = await startConference()
  await readSchedule(t)
  await readEvent(t, 1)
  await inCommand(t, async (scope) => {
    await updateRecord(scope, 'conference', 1, { title: 'Summit Online' })
    await updateRecord(scope, 'room', 2, { name: 'Hall A' })
    await updateRecord(scope, 'track', 1, { name: 'Safety' })
    await updateRecord(scope, 'speaker', 1, { name: 'Benjamin' })
  })
  const renamed = await readSchedule(t)
  expect(renamed).toMatchObject({
    conference: { title: 'Summit Online' },
    rooms: [{ name: 'Hall A' }],
    tracks: [{ name: 'Safety' }],
    speakers: [{ name: 'Benjamin' }, { name: 'Ana Cruz' }],
  })
  expect(await readEvent(t, 1)).toMatchObject({
    room: { name: 'Hall A' },
    track: { name: 'Safety' },
    speakers: [{ name: 'Ana Cruz' }, { name: 'Benjamin' }],
  })
  await inCommand(t, (scope) => updateEvent(scope, 1 as EventId, { room_id: 1 as RoomId, speakers: [] }))
  const { events, rooms, speakers } = await readSchedule(t)
  expect(rooms).toMatchObject([{ name: 'Upstairs' }])
  expect(events).toMatchObject([{ room_id: '1', speaker_ids: [] }])
  expect(speakers).toEqual([])
})

test('a stored time that no clock shows is no time, and leaves the others their schedule', async () => {
  await using t = await startTestApp()
  await make.event(t, { title: 'Broken', date_from: '2030-05-01 25:00:00', date_to: null })
  await make.event(t)
  const { events } = await readSchedule(t)
  expect(events.map(({ title, starts_at }) => [title, starts_at])).toEqual([
    ['Broken', null],
    ['Opening', '2030-05-02T09:00:00+00:00'],
  ])
})

test('of a deleted event nobody reads anything, nor of its speaker', async () => {
  await using t = await startTestApp()
  await make.event(t, { speaker: 'Ana Cruz' })
  await make.event(t, { title: 'stays', speaker: 'Ben' })
  await inCommand(t, (scope) => updateEvent(scope, 1 as EventId, { is_deleted: 1 }))
  const { events, speakers } = await readSchedule(t)
  expect(events).toMatchObject([{ title: 'stays', speaker_ids: ['2'] }])
  expect(speakers).toMatchObject([{ id: '2', name: 'Ben' }])
  for (const id of [1, 9])
    expect((await t.client.call('getScheduleEvent', { id })).envelope).toMatchObject({
      response_code: 4040,
      data: { reason: 'EVENT_NOT_FOUND' },
    })
})

test('a parameter of the query that does not exist, or has no meaning, is refused', async () => {
  await using t = await startTestApp()
  for (const [query, field, reason] of [
    ['texts=yes', 'texts', 'NOT_A_BOOLEAN'],
    ['texts=true&texts=true', 'texts', 'REPEATED'],
    ['room=1', 'room', 'UNKNOWN'],
  ])
    expect(await make.send(t, 'GET', `/api/program/schedule?${query}`)).toMatchObject({
      response_code: 4220,
      data: { fields: [{ field, in: 'query', reason }] },
    })
})
