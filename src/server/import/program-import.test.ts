import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { isLong } from '../../../test/long.ts'
import { defaultLimits } from '../../contract/limits.ts'
import { findImportedEvents } from '../program/events.ts'
import { sanitiseHtml } from '../program/html.ts'
import { commandScope } from '../scope.ts'
import { parseProgram } from './formats/detect.ts'
import { applyProgram } from './program-apply.ts'
import { planProgram } from './program-plan.ts'
import type { SourceSession } from './source.ts'

const header = 'id,title,date,start,end,room,speaker,abstract'
const keynote = 'k1,Keynote,2030-05-02,09:00,10:00,Main hall,Ana Cruz,Welcome <b>all</b>'
const party = 'p1,Party,2030-05-02,21:00,23:00,Roof,,Bring shoes'
const csv = (...rows: string[]) => [header, ...rows].join('\n')

const importCsv = (t: TestApp, text: string, source = 'program') =>
  t.ctx.database.transaction((tx) =>
    applyProgram(
      commandScope(t.ctx, tx, 'import'),
      source,
      parseProgram(text, 'p.csv', defaultLimits).sessions,
      () => undefined,
    ),
  )

const changes = (plan: { change: string; title: string }[]) => plan.map(({ change, title }) => `${change} ${title}`)

const titles = async (t: TestApp) =>
  (await t.client.listEvents({ offset: 0, limit: 1000 })).events.map((event) => event.title)

test('attendees see the sessions of an imported program as events', async () => {
  await using t = await testApp()
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
  await using t = await testApp()
  await importCsv(t, csv(keynote, party))
  const changeLog = () => t.ctx.database.read.selectFrom('change').select('id').orderBy('id').execute()
  const before = await changeLog()
  expect(changes(await importCsv(t, csv(keynote, party)))).toEqual(['unchanged Keynote', 'unchanged Party'])
  expect(await changeLog()).toEqual(before)
})

test('a session that is moved, changed, removed and restored stays the same event', async () => {
  await using t = await testApp()
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

test('a session that is moved and cancelled in the same file is both', async () => {
  await using t = await testApp()
  const withStatus = (...rows: string[]) => [`${header},status`, ...rows].join('\n')
  await importCsv(t, withStatus(`${keynote},confirmed`))
  const file = withStatus(`${keynote.replace('Main hall', 'Garden').replace('09:00', '09:30')},cancelled`)
  expect(await importCsv(t, file)).toMatchObject([
    {
      change: 'cancelled',
      differences: ['start “2030-05-02 09:00” → “2030-05-02 09:30”', 'room “Main hall” → “Garden”'],
    },
  ])

  const [event] = (await t.client.listEvents({ offset: 0, limit: 1 })).events
  expect(event).toMatchObject({ title: 'Cancelled: Keynote', location: { name: 'Garden' } })
  expect(event?.program[0]?.activities).toEqual([{ title: 'Keynote', time: '09:30:00' }])
  expect(changes(await importCsv(t, file))).toEqual(['unchanged Keynote'])
})

test('after any edits, importing the same file again changes nothing', async () => {
  await using t = await testApp()
  const some = <T>(...values: T[]) => fc.constantFrom(...values)
  const text = fc
    .oneof(some('', 'x', '<p>a</p>', '<b>b', 'a & b <3', '<a href="x">y</a>'), fc.string())
    .map(sanitiseHtml)
  const session: fc.Arbitrary<SourceSession> = fc.record({
    key: some('1', '2', '3', 'x'),
    line: fc.nat(),
    title: some('Opening', 'Party', ''),
    speakers: fc.array(fc.record({ name: some('Ana', 'Ben'), position: some('', 'Chair'), company: some('', 'Acme') })),
    room: some('Hall', 'Garden', ''),
    day: some('2030-05-01', '2030-05-02'),
    startsAt: some('2030-05-02 01:00:00', '2030-05-02 09:00:00'),
    endsAt: some('2030-05-02 09:00:00', '2030-05-02 10:00:00'),
    description: text,
    details: text,
    cancelled: fc.boolean(),
  })
  const files = fc.array(fc.uniqueArray(session, { selector: ({ key }) => key }), { minLength: 1, maxLength: 4 })
  let runs = 0
  await fc.assert(
    fc.asyncProperty(files, async (edits) => {
      const source = `run ${runs++}`
      for (const sessions of edits) {
        await t.ctx.database.transaction((tx) =>
          applyProgram(commandScope(t.ctx, tx, 'import'), source, sessions, () => undefined),
        )
        const again = planProgram(sessions, await findImportedEvents(t.ctx.database.read, source))
        expect(again.filter(({ change }) => change !== 'unchanged')).toEqual([])
      }
    }),
    { numRuns: isLong ? 200 : 40 },
  )
})

test('importing one program does not affect another of the same summit', async () => {
  await using t = await testApp()
  await importCsv(t, csv(keynote), 'talks')
  expect(changes(await importCsv(t, csv(party), 'workshops'))).toEqual(['new Party'])
  expect(await titles(t)).toEqual(['Keynote', 'Party'])
})

test('an import that fails halfway changes nothing', async () => {
  await using t = await testApp()
  const { sessions } = parseProgram(csv(keynote, party), 'p.csv', defaultLimits)
  const halfway = t.ctx.database.transaction((tx) =>
    applyProgram(commandScope(t.ctx, tx, 'import'), 'program', sessions, (done) => {
      if (done === 2) throw new Error('the power went')
    }),
  )
  await expect(halfway).rejects.toThrow('the power went')
  expect(await titles(t)).toEqual([])
})

test('scripts in an abstract are removed', async () => {
  await using t = await testApp()
  await importCsv(t, csv('x,Talk,2030-05-02,09:00,10:00,Hall,,<script>alert(1)</script><img src=x onerror=alert(1)>'))
  const { events } = await t.client.listEvents({ offset: 0, limit: 1 })
  const { programs } = await t.client.getEvent({ id: Number(events[0]?.id) })
  expect(programs.description).not.toMatch(/<script|<img/)
})

test('abstracts are sanitised before the transaction, and importing deeply nested ones again changes nothing', async () => {
  await using t = await testApp()
  const deep = `<p>${'<b>'.repeat(6_000)}${'</p>'.repeat(16_000)}`
  const text = csv(
    `d1,Deep,2030-05-02,09:00,10:00,Hall,,${deep}`,
    `c1,Closing,2030-05-02,10:00,11:00,Hall,,<p>a${'</p>'.repeat(24_990)}`,
  )
  expect(changes(await importCsv(t, text))).toEqual(['new Deep', 'new Closing'])
  expect(changes(await importCsv(t, text))).toEqual(['unchanged Deep', 'unchanged Closing'])
  const { sessions } = parseProgram(text, 'p.csv', defaultLimits)
  const stored = await findImportedEvents(t.ctx.database.read, 'program')
  expect(sessions.map(({ description }) => description)).toEqual(stored.map(({ description }) => description))
})

test('attendees see as many speakers of a session as fit into MAX_TEXT', async () => {
  await using t = await testApp()
  const names = Array.from({ length: 40 }, (_, at) => `Speaker ${at} of many`)
  const text = csv(`p1,Panel,2030-05-02,09:00,10:00,Hall,${names.join('; ')},`)
  await importCsv(t, text)
  const { programs } = await t.client.getEvent({ id: 1 })
  expect(programs.speaker).toBe(names.slice(0, 13).join(', '))
  expect(changes(await importCsv(t, text))).toEqual(['unchanged Panel'])
})

const shared = join(import.meta.dirname, '../../../../shared/data')
/** The first has 895 sessions, which take long to import. */
const files = [
  ...(isLong ? ['39c3.schedule.xml'] : []),
  'pyconfr-2024.schedule.json',
  'scottish-summit.sessionize.json',
]

describe.each(files)('the real program %s', (file) => {
  test.skipIf(!existsSync(join(shared, file)))('is imported completely, and unchanged the second time', async () => {
    await using t = await testApp()
    const { sessions } = parseProgram(readFileSync(join(shared, file), 'utf8'), file, defaultLimits)
    await t.ctx.database.transaction((tx) =>
      applyProgram(commandScope(t.ctx, tx, 'import'), 'program', sessions, () => undefined),
    )
    expect(await titles(t)).toHaveLength(sessions.length)
    const again = planProgram(sessions, await findImportedEvents(t.ctx.database.read, 'program'))
    expect(new Set(again.map((planned) => planned.change))).toEqual(new Set(['unchanged']))
  })
})
