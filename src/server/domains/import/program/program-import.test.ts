import { expect, test } from 'vitest'
import { startTestApp } from '../../../../../test/app.ts'
import { formats, parseInventedProgram } from '../formats/programs.fixtures.ts'
import { changes, csv, expectCompleteImport, importCsv, keynote, party, titles } from './program-import.fixtures.ts'

test('attendees see the sessions of an imported program as events', async () => {
  await using t = await startTestApp()
  expect(changes(await importCsv(t, csv(keynote, party)))).toEqual(['new Keynote', 'new Party'])

  const { events } = await t.client.listEvents({ offset: 0, limit: 10 })
  expect(events[0]).toMatchObject({
    title: 'Keynote',
    date: { date_from: '2030-05-02 09:00:00', date_to: '2030-05-02 10:00:00' },
    location: { name: 'Main hall', address: '' },
    program: [{ date: '2030-05-02', dayOfWeek: '4', activities: [{ title: 'Keynote', time: '09:00:00' }] }],
  })
  const { programs } = await t.client.getEvent({ id: Number(events[0]?.id) })
  expect(programs).toMatchObject({ speaker: 'Ana Cruz', program_date: '2030-05-02', program_time: '09:00:00' })
  expect(programs.description).toContain('Welcome')
})

test('importing the same file again changes nothing and adds nothing to the change log', async () => {
  await using t = await startTestApp()
  await importCsv(t, csv(keynote, party))
  const changeLog = () => t.ctx.database.read.selectFrom('change').select('id').orderBy('id').execute()
  const before = await changeLog()
  expect(changes(await importCsv(t, csv(keynote, party)))).toEqual(['unchanged Keynote', 'unchanged Party'])
  expect(await changeLog()).toEqual(before)
})

test('a session that is moved, changed, removed and restored stays the same event', async () => {
  await using t = await startTestApp()
  await importCsv(t, csv(keynote, party))

  const moved = await importCsv(t, csv(keynote.replace('Main hall', 'Garden'), party.replace('shoes', 'a hat')))
  expect(moved.map(({ change, differences }) => [change, differences])).toEqual([
    ['moved', ['room “Main hall” → “Garden”']],
    ['changed', ['description']],
  ])

  expect(changes(await importCsv(t, csv(keynote)))).toEqual(['moved Keynote', 'cancelled Party'])
  expect(await titles(t)).toEqual(['Keynote', 'Cancelled: Party'])
  expect(changes(await importCsv(t, csv(keynote)))).toEqual(['unchanged Keynote'])

  const back = await importCsv(t, csv(keynote, party))
  expect(back.map(({ change, differences }) => [change, differences])).toEqual([
    ['unchanged', []],
    ['changed', ['description', 'no longer cancelled']],
  ])
  expect(await titles(t)).toEqual(['Keynote', 'Party'])
})

test('scripts in an abstract are removed', async () => {
  await using t = await startTestApp()
  await importCsv(t, csv('x,Talk,2030-05-02,09:00,10:00,Hall,,<script>alert(1)</script><img src=x onerror=alert(1)>'))
  const { events } = await t.client.listEvents({ offset: 0, limit: 1 })
  const { programs } = await t.client.getEvent({ id: Number(events[0]?.id) })
  expect(programs.description).not.toMatch(/<script|<img/)
})

test.each(formats)('every session of a file in the format %s is imported, and unchanged the second time', (format) =>
  expectCompleteImport(parseInventedProgram(format)),
)
