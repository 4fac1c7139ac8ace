import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import * as make from '../../../../test/make.ts'
import type { EventId } from '../../core/ids.ts'
import { commandScope } from '../../scope.ts'
import { cancelEvent, updateEvent } from './events.ts'
import { sanitizeHtml } from './html.ts'

const titles = async (t: TestApp, offset = 0, limit = 100) =>
  (await t.client.listEvents({ offset, limit })).events.map(({ title }) => title)

/** Changes the first event as an organizer's command does. */
const change = (
  t: TestApp,
  values: Parameters<typeof updateEvent>[2],
  activities?: Parameters<typeof updateEvent>[3],
) => t.ctx.database.transaction((tx) => updateEvent(commandScope(t.ctx, tx, 'test'), 1 as EventId, values, activities))

test('an event is listed with its schedule', async () => {
  await using t = await startTestApp()
  const place = { location_name: 'Main hall', location_address: '1 Summit Street' }
  await make.event(t, { title: 'Workshop', ...place }, [{ date: '2030-05-02', time: '09:00:00', title: 'Doors open' }])

  expect(await t.client.listEvents({ offset: 0, limit: 10 })).toEqual({
    events: [
      {
        id: '1',
        title: 'Workshop',
        imageUrl: `${t.url}/api/program/banner/get/1`,
        date: { date_from: '2030-05-02 09:00:00', date_to: '2030-05-02 10:00:00' },
        location: { name: 'Main hall', address: '1 Summit Street' },
        program: [{ date: '2030-05-02', dayOfWeek: '4', activities: [{ title: 'Doors open', time: '09:00:00' }] }],
      },
    ],
  })
})

test('the image URL of a listed event returns its banner', async () => {
  await using t = await startTestApp()
  await make.event(t)
  const [event] = (await t.client.listEvents({ offset: 0, limit: 1 })).events
  const response = await fetch(event?.imageUrl ?? '')
  expect(response.headers.get('content-type')).toBe('image/png')
  await response.arrayBuffer()
})

test('the details of an event have all of its values', async () => {
  await using t = await startTestApp()
  await make.event(t, {
    title: 'Workshop',
    program_date: '2030-05-02',
    program_time: '09:30:00',
    location_name: 'Main hall',
    venue: 'Room 2',
    speaker: 'Ana Cruz',
    position: 'Engineer',
    company: 'Summit Inc.',
    banner: 'program/1/banner.png',
    photo: 'program/1/photo.png',
    description: sanitizeHtml('<p onclick="alert(1)">What it is</p>'),
    details: sanitizeHtml('More<script>alert(1)</script>'),
    is_posted: 1,
    posted_at: Date.parse('2030-04-01T00:00:00Z'),
  })

  expect(await t.client.getEvent({ id: 1 })).toEqual({
    programs: {
      id: '1',
      title: 'Workshop',
      banner: 'program/1/banner.png',
      program_date: '2030-05-02',
      program_time: '09:30:00',
      location: 'Main hall',
      speaker: 'Ana Cruz',
      position: 'Engineer',
      company: 'Summit Inc.',
      photo: 'program/1/photo.png',
      description: '<p>What it is</p>',
      details: 'More',
      venue: 'Room 2',
      created_at: '2030-05-01 09:00:00',
      modified_at: '0000-00-00 00:00:00',
      deleted_at: '0000-00-00 00:00:00',
      posted_at: '2030-04-01 00:00:00',
      created_by: '0',
      modified_by: '0',
      deleted_by: '0',
      posted_by: '0',
      is_deleted: '0',
      is_posted: '1',
    },
  })
})

test('an event without values has zeros for its times and is empty otherwise', async () => {
  await using t = await startTestApp()
  await make.event(t, { title: '', date_from: null, date_to: null })
  const { programs } = await t.client.getEvent({ id: 1 })
  expect(programs).toMatchObject({
    title: '',
    program_date: '0000-00-00',
    program_time: '00:00:00',
    posted_at: '0000-00-00 00:00:00',
    description: '',
    banner: '',
    is_posted: '0',
  })
  expect((await t.client.listEvents({ offset: 0, limit: 1 })).events).toMatchObject([
    { title: '', date: { date_from: null, date_to: null }, location: { name: '', address: '' }, program: [] },
  ])
})

test('events are listed by start, then by id, and those without a date last', async () => {
  await using t = await startTestApp()
  const starts: [string, string | null][] = [
    ['no date, first', null],
    ['in the evening', '2030-05-02 18:00:00'],
    ['at nine, first', '2030-05-02 09:00:00'],
    ['the day before', '2030-05-01 20:00:00'],
    ['at nine, second', '2030-05-02 09:00:00'],
    ['no date, second', null],
    ['a year before', '2029-12-31 23:59:59'],
  ]
  for (const [title, date_from] of starts) await make.event(t, { title, date_from, date_to: null })
  const inOrder = [
    'a year before',
    'the day before',
    'at nine, first',
    'at nine, second',
    'in the evening',
    'no date, first',
    'no date, second',
  ]
  expect(await titles(t)).toEqual(inOrder)
  expect(await titles(t, 2, 3)).toEqual(inOrder.slice(2, 5))
  expect(await titles(t, 5, 5)).toEqual(inOrder.slice(5))
  expect(await titles(t, 7, 5)).toEqual([])
  expect(await titles(t, 0, 0)).toEqual([])
})

test('an event that gets a date moves to its position in the program', async () => {
  await using t = await startTestApp()
  await make.event(t, { title: 'moved', date_from: null })
  await make.event(t, { title: 'stays', date_from: '2030-05-02 12:00:00' })
  expect(await titles(t)).toEqual(['stays', 'moved'])
  await change(t, { date_from: '2030-05-02 09:00:00' })
  expect(await titles(t)).toEqual(['moved', 'stays'])
})

test.each([
  [undefined, ['1', '2', '3', '4', '5', '6', '7']],
  ['iso', ['1', '2', '3', '4', '5', '6', '7']],
  ['mysql', ['2', '3', '4', '5', '6', '7', '1']],
  ['js', ['1', '2', '3', '4', '5', '6', '0']],
])('days of the week, Monday to Sunday, in the convention %s', async (convention, digits) => {
  // West of Greenwich, a date that is parsed as a UTC moment falls on the day before.
  await using t = await startTestApp({ TIMEZONE: 'Pacific/Honolulu', ...(convention && { DAY_OF_WEEK: convention }) })
  const week = ['06', '07', '08', '09', '10', '11', '12'].map((day) => `2030-05-${day}`)
  await make.event(
    t,
    {},
    week.map((date) => ({ date, time: '00:00:00', title: 'Doors open' })),
  )
  const [event] = (await t.client.listEvents({ offset: 0, limit: 1 })).events
  expect(event?.program.map(({ date, dayOfWeek }) => [date, dayOfWeek])).toEqual(
    week.map((date, index) => [date, digits[index]]),
  )
})

test('activities are grouped by day, and keep their order within a day, even past midnight', async () => {
  await using t = await startTestApp()
  await make.event(t, { title: 'one' }, [
    { date: '2030-05-03', time: '10:00:00', title: 'Second day' },
    { date: '2030-05-02', time: '22:00:00', title: 'Party' },
    { date: '2030-05-02', time: '00:30:00', title: 'Last bus' },
    { date: '2030-05-03', time: '12:00:00', title: 'Lunch' },
  ])
  await make.event(t, { title: 'two' }, [{ date: '2030-05-02', time: '08:00:00', title: 'Breakfast' }])
  await make.event(t, { title: 'three' })

  const { events } = await t.client.listEvents({ offset: 0, limit: 10 })
  const schedules = events.map(({ program }) =>
    program.map(({ date, activities }) => [date, ...activities.map(({ time, title }) => `${time} ${title}`)]),
  )
  expect(schedules).toEqual([
    [
      ['2030-05-02', '22:00:00 Party', '00:30:00 Last bus'],
      ['2030-05-03', '10:00:00 Second day', '12:00:00 Lunch'],
    ],
    [['2030-05-02', '08:00:00 Breakfast']],
    [],
  ])
})

test('a change with a schedule replaces it, a change without one keeps it', async () => {
  await using t = await startTestApp()
  await make.event(t, {}, [{ date: '2030-05-02', time: '09:00:00', title: 'Doors open' }])
  const activities = async () =>
    (await t.client.listEvents({ offset: 0, limit: 1 })).events[0]?.program.flatMap((day) => day.activities)
  await change(t, { title: 'x' })
  expect(await activities()).toEqual([{ title: 'Doors open', time: '09:00:00' }])
  await change(t, {}, [{ date: '2030-05-03', time: '10:00:00', title: 'Doors open later' }])
  expect(await activities()).toEqual([{ title: 'Doors open later', time: '10:00:00' }])
})

test('a cancelled event remains listed, with “Cancelled” in its title', async () => {
  await using t = await startTestApp()
  await make.event(t, { title: 'Opening' })
  await make.event(t, { title: 'Closing', date_from: '2030-05-03 09:00:00' })
  await t.ctx.database.transaction((tx) => cancelEvent(commandScope(t.ctx, tx, 'test'), 1 as EventId))
  expect(await titles(t)).toEqual(['Cancelled: Opening', 'Closing'])
  expect((await t.client.getEvent({ id: 1 })).programs.title).toBe('Cancelled: Opening')
})

test('venue times are shown unchanged; timestamps are shown in the configured time zone', async () => {
  await using t = await startTestApp({ TIMEZONE: 'Asia/Manila' })
  await make.event(t, { program_date: '2030-05-02', program_time: '23:30:00' }, [
    { date: '2030-05-02', time: '23:45:00', title: 'Doors open' },
  ])
  t.advance(15 * 60 * 60 * 1000)
  await change(t, {})

  const [event] = (await t.client.listEvents({ offset: 0, limit: 1 })).events
  expect(event?.date).toEqual({ date_from: '2030-05-02 09:00:00', date_to: '2030-05-02 10:00:00' })
  expect(event?.program).toMatchObject([{ date: '2030-05-02', activities: [{ time: '23:45:00' }] }])
  const { envelope } = await t.client.call('getEvent', { id: 1 })
  expect(envelope).toMatchObject({
    data: {
      programs: {
        program_date: '2030-05-02',
        program_time: '23:30:00',
        created_at: '2030-05-01 17:00:00',
        modified_at: '2030-05-02 08:00:00',
        deleted_at: '0000-00-00 00:00:00',
      },
    },
    system: { created_at: '2030-05-02 08:00:00' },
  })
})

test('a deleted or unknown event is neither listed nor found', async () => {
  await using t = await startTestApp()
  await make.event(t)
  await make.event(t, { title: 'stays' })
  await change(t, { is_deleted: 1 })
  expect(await titles(t)).toEqual(['stays'])
  for (const id of [1, 9])
    expect((await t.client.call('getEvent', { id })).envelope).toMatchObject({
      response_code: 4040,
      data: { reason: 'EVENT_NOT_FOUND' },
    })
})
