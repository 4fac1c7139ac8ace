import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/app.ts'
import { defaultLimits } from '../../../../contract/limits.ts'
import { commandScope } from '../../../scope.ts'
import { recordRevision } from '../../revisions/record-revision.ts'
import { parseProgram } from '../formats/detect.ts'
import { formats, parseInventedProgram } from '../formats/programs.fixtures.ts'
import { prepareProgram } from './program-apply.ts'
import {
  expectCompleteImport,
  expectRepeatsUnchanged,
  findImportedEvents,
  importSessions,
  wholeProgram,
} from './program-import.fixtures.ts'
import { loadParts } from './program-parts-plan.ts'

const header = 'id,title,date,start,end,room,speaker,abstract'
const keynote = 'k1,Keynote,2030-05-02,09:00,10:00,Main hall,Ana Cruz,Welcome <b>all</b>'
const party = 'p1,Party,2030-05-02,21:00,23:00,Roof,,Bring shoes'
const csv = (...rows: string[]) => [header, ...rows].join('\n')

const importCsv = (t: TestApp, text: string, source = 'program') =>
  importSessions(t, source, parseProgram(text, 'p.csv', defaultLimits).sessions)

const changes = (plan: { change: string; title: string }[]) => plan.map(({ change, title }) => `${change} ${title}`)

const titles = async (t: TestApp) =>
  (await t.client.listEvents({ offset: 0, limit: 1000 })).events.map((event) => event.title)

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

test('a session that is moved and cancelled in the same file is both', async () => {
  await using t = await startTestApp()
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

test('after random edits of a program, importing the same file again changes nothing', () =>
  expectRepeatsUnchanged({ numRuns: 40 }))

test('importing one program does not affect another of the same summit', async () => {
  await using t = await startTestApp()
  await importCsv(t, csv(keynote), 'talks')
  const seen = async () => [
    (await t.client.listEvents({ offset: 0, limit: 1 })).events,
    await t.client.getEvent({ id: 1 }),
    (await t.client.getSchedule({})).schedule.rooms[0],
  ]
  const before = await seen()
  const inHall = 'w1,Knots,2030-05-02,11:00,12:00,MAIN HALL,"Ana Cruz, Sailor",Bring rope'
  expect(changes(await importCsv(t, csv(party, inHall), 'workshops'))).toEqual(['new Party', 'new Knots'])
  expect(await seen()).toEqual(before)
  expect(await titles(t)).toEqual(['Keynote', 'Knots', 'Party'])
})

test('sessions of two days may have an id of dates that is too long for another date', async () => {
  await using t = await startTestApp()
  const id = '2030-05-03 '.repeat(30).slice(0, 255)
  const ofDay = (day: string) =>
    parseProgram(csv(`${id},Opening ${day},${day},09:00,10:00,Hall,,`), 'p.csv', defaultLimits).sessions
  for (const day of ['2030-05-02', '2030-05-03'])
    await importSessions(t, 'program', ofDay(day), { onlyDays: true, replace: true })
  expect(await titles(t)).toHaveLength(2)
})

test('an import that fails halfway changes nothing', async () => {
  await using t = await startTestApp()
  const program = parseProgram(csv(keynote, party), 'p.csv', defaultLimits)
  const onProgress = (done: number) => {
    if (done === 2) throw new Error('the power went')
  }
  const halfway = t.ctx.database.transaction(async (tx) => {
    const scope = commandScope(t.ctx, tx, 'import')
    const { writes } = await prepareProgram(scope, 'program', program, wholeProgram)
    return recordRevision(scope, { kind: 'import', command: 'import program', file: 'p.csv' }, writes, { onProgress })
  })
  await expect(halfway).rejects.toThrow('the power went')
  expect(await titles(t)).toEqual([])
})

test('a program that loses too much since it was planned is not imported', async () => {
  await using t = await startTestApp()
  await importCsv(t, csv(keynote, party))
  const { sessions } = parseProgram(csv(keynote.replace('05-02', '05-03')), 'p.csv', defaultLimits)
  const intent = { onlyDays: false, replace: false }
  await expect(importSessions(t, 'program', sessions, intent)).rejects.toThrow('Nothing was changed.')
  expect(await titles(t)).toEqual(['Keynote', 'Party'])
})

test('scripts in an abstract are removed', async () => {
  await using t = await startTestApp()
  await importCsv(t, csv('x,Talk,2030-05-02,09:00,10:00,Hall,,<script>alert(1)</script><img src=x onerror=alert(1)>'))
  const { events } = await t.client.listEvents({ offset: 0, limit: 1 })
  const { programs } = await t.client.getEvent({ id: Number(events[0]?.id) })
  expect(programs.description).not.toMatch(/<script|<img/)
})

test('abstracts are sanitized before the transaction, and importing deeply nested ones again changes nothing', async () => {
  await using t = await startTestApp()
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

test('attendees see all speakers of a panel with their companies, and of hundreds those that fit in 10,000 characters', async () => {
  await using t = await startTestApp()
  const panel = Array.from({ length: 14 }, (_, at) => `Speaker ${at} of many`)
  const poster = Array.from({ length: 600 }, (_, at) => `Author ${100 + at} of a poster`)
  const firmOf = (name: string) => `Company of ${name}`
  const rowOf = (names: string[], at: number) =>
    `S${at},2030-05-02 1${at}:00,${names.join(';')},${names.map(firmOf).join(';')}`
  const text = ['title,start,speaker,company', ...[panel, poster].map(rowOf)].join('\n')
  await importCsv(t, text)
  const { programs: first } = await t.client.getEvent({ id: 1 })
  expect([first.speaker, first.company]).toEqual([panel.join(', '), panel.map(firmOf).join(', ')])
  const { programs: second } = await t.client.getEvent({ id: 2 })
  expect(second.speaker).toBe(poster.slice(0, 416).join(', '))
  expect(second.speaker.length).toBeLessThanOrEqual(10_000)
  const { speaker } = await loadParts(t.ctx.database.read)
  expect(speaker.map(({ name, company }) => [name, company])).toEqual(
    [...panel, ...poster].map((name) => [name, firmOf(name)]),
  )
  expect(changes(await importCsv(t, text))).toEqual(['unchanged S0', 'unchanged S1'])
})

test.each(formats)('every session of a file in the format %s is imported, and unchanged the second time', (format) =>
  expectCompleteImport(parseInventedProgram(format)),
)
