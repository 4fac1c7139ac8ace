import { describe, expect, test } from 'vitest'
import { startTestApp } from '../../../../../test/app.ts'
import { defaultLimits } from '../../../../contract/limits.ts'
import { commandScope } from '../../../scope.ts'
import { recordRevision } from '../../revisions/record-revision.ts'
import { parseProgram } from '../formats/detect.ts'
import { hasRealProgram, parseRealProgram } from '../formats/programs.fixtures.ts'
import type { SourceSession } from '../source.ts'
import { prepareProgram } from './program-apply.ts'
import {
  changes,
  csv,
  expectCompleteImport,
  expectRepeatsUnchanged,
  findImportedEvents,
  header,
  importCsv,
  importSessions,
  keynote,
  party,
  titles,
  wholeProgram,
} from './program-import.fixtures.ts'
import { loadParts } from './program-parts-plan.ts'

test('after each of 80 random edits, importing the same file again changes nothing', () =>
  expectRepeatsUnchanged({ numRuns: 80 }))

const files = ['39c3.schedule.xml', 'pyconfr-2024.schedule.json', 'scottish-summit.sessionize.json']

describe.each(files)('the real program %s', (file) => {
  test.skipIf(!hasRealProgram(file))('is imported completely, and unchanged the second time', () =>
    expectCompleteImport(parseRealProgram(file)),
  )
})

describe.skipIf(!hasRealProgram('39c3.schedule.xml'))('a real program with sessions after midnight', () => {
  const days = { onlyDays: true, replace: false }
  const program = { onlyDays: false, replace: false }

  test.each([
    ['with ids and days', (session: SourceSession) => session],
    [
      'with start times only',
      (session: SourceSession) => ({ ...session, key: '', day: session.startsAt.slice(0, 10) }),
    ],
  ])('%s is complete after an import of each day, also a second one', async (_, change) => {
    await using t = await startTestApp()
    const { sessions } = parseRealProgram('39c3.schedule.xml')
    const files = [...Map.groupBy(sessions, ({ day }) => day).values()].map((file) => file.map(change))
    for (const file of [...files, ...files]) await importSessions(t, 'program', file, days)
    const plan = await importSessions(t, 'program', files.flat(), program)
    expect(new Set(plan.map((planned) => planned.change))).toEqual(new Set(['unchanged']))
    for (const file of files)
      await expect(importSessions(t, 'program', file, program)).rejects.toThrow('add --only-days')
  })

  test('is imported from its other format without a question', async () => {
    await using t = await startTestApp()
    for (const file of ['39c3.schedule.xml', '39c3.schedule.json', '39c3.schedule.xml'])
      await importSessions(t, 'program', parseRealProgram(file).sessions, program)
    expect((await t.client.listEvents({ offset: 0, limit: 1000 })).events).toHaveLength(895)
  })
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
