import { expect, test } from 'vitest'
import { startAppWithKeys } from '../../../../test/access/app-with-keys.ts'
import { startOtherServer, startTestApp, type TestApp } from '../../../../test/app.ts'
import { inCommand } from '../../../../test/in-command.ts'
import * as make from '../../../../test/make.ts'
import { maxFoundEvents } from '../../../contract/schedule.ts'
import { updateEvent } from './events.ts'
import { listRecords, updateRecord } from './records.ts'
import { loadEvents, removeEvent } from './stored-events.ts'

/** The titles of the events that are found. */
const find = async (t: Pick<TestApp, 'client'>, q: string): Promise<string[]> =>
  (await t.client.searchProgram({ q })).events.map(({ title }) => title)

test('a word is found in any text of an event, and best in its title, then in the names of its speakers', async () => {
  await using t = await startTestApp()
  const track_id = await make.track(t, { name: 'Boats' })
  const texts = [
    { title: 'In details', details: '<p>On small <em>boa</em>ts</p>' as never },
    { title: 'In a tag', tags: '["boats"]' },
    { title: 'In the room', location_name: 'Boats' },
    { title: 'In the building', location_name: 'House of boats', venue: 'Hall' },
    { title: 'In the track', track_id },
    { title: 'In the subtitle', subtitle: 'With boats' },
    { title: 'In the description', description: '<ul><li>Boats</li></ul>' as never },
    { title: 'In the name', speaker: 'Ana Boatswain' },
    { title: 'Houseboats' },
    { title: 'Nowhere' },
  ]
  for (const values of texts) await make.event(t, values)
  await make.event(t, { title: 'In a part' }, [
    { date: '2030-05-02', time: '09:00:00', title: 'Paper boats' },
    { date: '2030-05-02', time: '10:00:00', title: 'Lunch' },
  ])
  expect(await find(t, 'BOATS')).toEqual([
    ...['Houseboats', 'In the name', 'In details', 'In a tag', 'In the room', 'In the building', 'In the track'],
    ...['In the subtitle', 'In the description', 'In a part'],
  ])
})

test('every word has to be found, and each counts where it counts most', async () => {
  await using t = await startTestApp()
  await make.event(t, { title: 'Baking', speaker: 'Ana Cruz', subtitle: 'Bread' })
  await make.event(t, { title: 'Bread and salt', speaker: 'Ana Cruz' })
  await make.event(t, { title: 'Bread', subtitle: 'By Ana Cruz' })
  await make.event(t, { title: 'Bread alone' })
  expect(await find(t, '  cruz\u3000bread ')).toEqual(['Bread and salt', 'Bread', 'Baking'])
  expect(await find(t, 'bread bread')).toEqual(['Bread and salt', 'Bread', 'Bread alone', 'Baking'])
  expect(await find(t, 'bread butter')).toEqual([])
  // Of two texts, no word begins in one and ends in the other.
  expect(await find(t, 'saltana')).toEqual([])
})

test('words are found in any script, without regard to case and accents', async () => {
  await using t = await startTestApp()
  for (const title of ['Crème brûlée', 'Донаудампфшиффfahrt', '東京の夜', 'हिन्दी में', 'ภาษาไทย', 'C++ & <b>'])
    await make.event(t, { title })
  for (const [q, title] of [
    ['creme BRULEE', 'Crème brûlée'],
    ['ДАМПФ', 'Донаудампфшиффfahrt'],
    ['東京', '東京の夜'],
    ['हिन्दी', 'हिन्दी में'],
    ['ไทย', 'ภาษาไทย'],
    ['c++', 'C++ & <b>'],
    ['<b>', 'C++ & <b>'],
  ] as const)
    expect(await find(t, q), q).toEqual([title])
})

test('what is found is as in the schedule without texts, at most 100 events in the order of the program', async () => {
  await using t = await startTestApp()
  for (let nth = 0; nth <= maxFoundEvents; nth++) await make.event(t, { title: `Talk ${nth}`, is_cancelled: nth % 2 })
  const { schedule } = await t.client.getSchedule({})
  expect((await t.client.searchProgram({ q: 'talk' })).events).toEqual(schedule.events.slice(0, maxFoundEvents))
})

test.each([
  ['', 'REQUIRED'],
  ['?q=', 'REQUIRED'],
  ['?q=%20%E3%80%80', 'BLANK'],
  [`?q=${'x'.repeat(256)}`, 'TOO_LONG'],
  ['?q=a%00', 'NOT_TEXT'],
  ['?q=a&q=b', 'REPEATED'],
])('a search for %s is refused', async (query, reason) => {
  await using t = await startTestApp()
  const response = await make.send(t, 'GET', `/api/program/search${query}`)
  expect(response).toMatchObject({ response_code: 4220, data: { fields: [{ field: 'q', in: 'query', reason }] } })
})

test('nothing is found by invisible characters that are no blank', async () => {
  await using t = await startTestApp()
  await make.event(t)
  expect(await find(t, '\u{e0001}')).toEqual([])
})

test('a change is found at once on every server, and what has been replaced or removed is not', async () => {
  await using t = await startTestApp()
  await using other = await startOtherServer(t)
  const id = await make.event(t, {
    title: 'Opening',
    location_name: 'Hall',
    speaker: 'Ana',
    track_id: await make.track(t),
  })
  const expectFound = async (q: string, titles: string[]) => {
    for (const server of [t, other]) expect(await find(server, q), q).toEqual(titles)
  }
  await expectFound('opening hall ana security', ['Opening'])
  for (const kind of ['room', 'track', 'speaker'] as const) {
    const [record] = await listRecords(t.ctx.database.read, kind)
    await inCommand(t, (scope) => updateRecord(scope, kind, Number(record?.id), { name: `New ${kind}` }))
    await expectFound(`new ${kind}`, ['Opening'])
  }
  await expectFound('hall', [])
  // At the same time of the clock.
  for (const title of ['Second', 'Third']) {
    await inCommand(t, (scope) => updateEvent(scope, id, { title }))
    await expectFound(title, [title])
  }
  await expectFound('second', [])
  await inCommand(t, async (scope) => {
    for (const stored of await loadEvents(scope.db, [id])) await removeEvent(scope, stored)
  })
  await expectFound('third', [])
})

test('requests that arrive together get the same, while texts are being read and changed', async () => {
  await using t = await startTestApp()
  const id = await make.event(t, { title: 'Bread 0' })
  for (let nth = 1; nth <= 5; nth++) {
    const searches = Array.from({ length: 5 }, () => find(t, 'bread'))
    await inCommand(t, (scope) => updateEvent(scope, id, { title: `Bread ${nth}` }))
    expect(await find(t, 'bread')).toEqual([`Bread ${nth}`])
    for (const titles of await Promise.all(searches)) expect(titles).toHaveLength(1)
  }
})

test('where readers sign in, links in what is found have their key', async () => {
  await using t = await startAppWithKeys('members')
  await make.event(t, { title: 'Opening', banner: 'program/1/banner.png' })
  const { events } = await t.ana.client.searchProgram({ q: 'opening' })
  expect(events).toEqual((await t.ana.client.getSchedule({})).schedule.events)
  expect(events[0]?.banner_url).toContain('?key=smm_')
})
