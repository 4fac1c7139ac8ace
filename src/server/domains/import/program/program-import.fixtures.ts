import fc from 'fast-check'
import { expect } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/app.ts'
import { defaultLimits } from '../../../../contract/limits.ts'
import { commandScope } from '../../../scope.ts'
import type { Db } from '../../../storage/db/tables.ts'
import { listAllEvents } from '../../program/events.ts'
import { sanitizeHtml } from '../../program/html.ts'
import { parseProgram } from '../formats/detect.ts'
import type { ParsedProgram, SourceSession } from '../source.ts'
import { planParts } from './plan-parts.ts'
import { type ProgramIntent, prepareProgram } from './program-apply.ts'
import { loadParts, type ProgramFile } from './program-parts-plan.ts'
import { planProgram } from './program-plan.ts'

export const wholeProgram: ProgramIntent = { onlyDays: false, replace: true }

const fileOf = (sessions: readonly SourceSession[]): ProgramFile => ({ sessions: [...sessions], rooms: [], tracks: [] })

/** Imports a file. @returns its plan */
export const importFile = (t: TestApp, source: string, file: ProgramFile, intent = wholeProgram) =>
  t.ctx.database.transaction(async (tx) => {
    const { plan, writes } = await prepareProgram(commandScope(t.ctx, tx, 'import'), source, file, intent)
    for (const { write } of writes) await write()
    return plan
  })

/** Imports a program. @returns its plan */
export const importSessions = (
  t: TestApp,
  source: string,
  sessions: readonly SourceSession[],
  intent: ProgramIntent = wholeProgram,
) => importFile(t, source, fileOf(sessions), intent)

/** The events of a program, with which its next import is compared. */
export const findImportedEvents = async (db: Db, source: string) =>
  (await listAllEvents(db)).filter((event) => event.source === source && event.source_key !== '')

const planAgain = async (t: TestApp, source: string, file: ProgramFile) => {
  const { read } = t.ctx.database
  const resolved = planParts(file, await loadParts(read), await listAllEvents(read), source)
  const { sessions, parts } = planProgram(resolved, await listAllEvents(read), source)
  expect(parts.filter(({ change }) => change !== 'unchanged')).toEqual([])
  return sessions
}

/** Asserts that every session becomes an event, with all rooms and tracks, and that a second import would change none. */
export async function expectCompleteImport(file: ParsedProgram): Promise<void> {
  await using t = await startTestApp()
  await importFile(t, 'program', file, wholeProgram)
  expect((await t.client.listEvents({ offset: 0, limit: 1000 })).events).toHaveLength(file.sessions.length)
  const { room, track, conference } = await loadParts(t.ctx.database.read)
  const namesOf = (parts: { name: string }[]) => parts.map(({ name }) => name)
  expect(namesOf(room)).toEqual(expect.arrayContaining(namesOf(file.rooms)))
  expect(namesOf(track)).toEqual(expect.arrayContaining(namesOf(file.tracks)))
  expect(conference.map(({ title }) => title)).toEqual(file.conference ? [file.conference.title] : [])
  const again = await planAgain(t, 'program', file)
  expect(new Set(again.map(({ change }) => change))).toEqual(new Set(['unchanged']))
}

const some = <T>(...values: T[]) => fc.constantFrom(...values)

const html = fc.oneof(some('', 'x', '<p>a</p>', '<b>b', 'a & b <3', '<a href="x">y</a>'), fc.string()).map(sanitizeHtml)

const session: fc.Arbitrary<SourceSession> = fc.record({
  key: some('', '', '1', '2', 'x'),
  line: fc.nat(),
  title: some('Opening', 'Party', ''),
  subtitle: some('', 'In two parts'),
  speakers: fc.array(
    fc.record({
      name: some('Ana', 'Ben'),
      position: some('', 'Chair'),
      company: some('', 'Acme', 'Other'),
      key: some('', '', '7'),
      guid: some(''),
      biography: html,
      photo: some('', 'https://example.com/a.jpg'),
      links: some([], [{ title: 'Page', url: 'https://example.com/' }]),
    }),
  ),
  track: some('', 'Main'),
  type: some('', 'Talk'),
  license: some(''),
  language: some('', 'en'),
  tags: some([], ['a', 'b']),
  links: some([], [{ rel: 'origin' as const, title: '', url: 'https://example.com/1' }]),
  guid: some(''),
  code: some('', 'ABC'),
  slug: some(''),
  doNotRecord: fc.boolean(),
  room: some('Hall', 'Garden', ''),
  day: some('2030-05-01', '2030-05-02'),
  startsAt: some('2030-05-02 01:00:00', '2030-05-02 09:00:00'),
  endsAt: some('2030-05-02 09:00:00', '2030-05-02 10:00:00'),
  description: html,
  details: html,
  cancelled: fc.boolean(),
})

/** Successive versions of a program. */
const versions = fc.array(fc.uniqueArray(session, { comparator: (a, b) => a.key !== '' && a.key === b.key }), {
  minLength: 1,
  maxLength: 4,
})

/** Asserts for random versions of a program that importing each a second time would change nothing. */
export async function expectRepeatsUnchanged({ numRuns }: { numRuns: number }): Promise<void> {
  await using t = await startTestApp()
  let runs = 0
  await fc.assert(
    fc.asyncProperty(versions, async (edits) => {
      const source = `run ${runs++}`
      for (const sessions of edits) {
        await importSessions(t, source, sessions)
        const again = await planAgain(t, source, fileOf(sessions))
        expect(again.filter(({ change }) => change !== 'unchanged')).toEqual([])
      }
    }),
    { numRuns },
  )
}

export const header = 'id,title,date,start,end,room,speaker,abstract'

export const keynote = 'k1,Keynote,2030-05-02,09:00,10:00,Main hall,Ana Cruz,Welcome <b>all</b>'

export const party = 'p1,Party,2030-05-02,21:00,23:00,Roof,,Bring shoes'

export const csv = (...rows: string[]) => [header, ...rows].join('\n')

export const importCsv = (t: TestApp, text: string, source = 'program') =>
  importSessions(t, source, parseProgram(text, 'p.csv', defaultLimits).sessions)

export const changes = (plan: { change: string; title: string }[]) =>
  plan.map(({ change, title }) => `${change} ${title}`)

export const titles = async (t: TestApp) =>
  (await t.client.listEvents({ offset: 0, limit: 1000 })).events.map((event) => event.title)
