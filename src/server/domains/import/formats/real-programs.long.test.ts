import { expect, test } from 'vitest'
import { cpuTime } from '../../../../../test/cpu-time.ts'
import type { ParsedProgram } from '../source.ts'
import { hasRealProgram, inBothFormats, parseRealProgram, readRealProgram } from './programs.fixtures.ts'

const keysOf = ({ sessions }: ParsedProgram) => new Set(sessions.map(({ key }) => key))

test.skipIf(!hasRealProgram('39c3.schedule.xml'))(
  'the XML and the JSON of 39C3 give the same 895 sessions, 46 of them after midnight',
  () => {
    const started = cpuTime()
    const [fromXml, fromJson] = [parseRealProgram('39c3.schedule.xml'), parseRealProgram('39c3.schedule.json')]
    expect(cpuTime() - started).toBeLessThan(5_000)
    for (const program of [fromXml, fromJson]) {
      expect(program.warnings.map(({ message }) => message)).toEqual([
        expect.stringMatching(
          /^Session “Surface Mount .*” is cancelled, because its title is “CANCELLED! Surface Mount/,
        ),
      ])
      expect(keysOf(program).size).toBe(895)
      expect(program.sessions.filter(({ day, startsAt }) => !startsAt.startsWith(day))).toHaveLength(46)
    }
    expect(inBothFormats(fromXml)).toEqual(inBothFormats(fromJson))
  },
)

test.skipIf(!hasRealProgram('pyconfr-2024.schedule.json'))('PyConFR 2024 has 68 talks, 8 sprints and 5 breaks', () => {
  const program = parseRealProgram('pyconfr-2024.schedule.json')
  expect(program.warnings).toEqual([])
  expect(keysOf(program).size).toBe(81)
  expect(program.sessions.filter(({ day }) => day >= '2024-11-02' && day <= '2024-11-03')).toHaveLength(73)
  expect(program.sessions.find(({ key }) => key === 'JDQLRV')).toMatchObject({
    ...{ title: 'Accueil / Welcome', room: 'GAM', startsAt: '2024-11-02 09:00:00', endsAt: '2024-11-02 09:30:00' },
    speakers: [{ name: 'Lucie Anglade' }],
  })
})

test.skipIf(!hasRealProgram('scottish-summit.sessionize.json'))('the Scottish Summit has 61 sessions', () => {
  const program = parseRealProgram('scottish-summit.sessionize.json')
  expect(program.warnings).toEqual([])
  expect(keysOf(program).size).toBe(61)
  const [first] = program.sessions
  expect(first).toMatchObject({ key: '1252943', room: 'Presidents Suite 1 (150)', startsAt: '2026-10-02 09:00:00' })
  expect(first?.title).toMatch(/^Design and Build/)
  expect(first?.speakers).toHaveLength(3)
  expect(program.sessions.every(({ room }) => room !== '')).toBe(true)
})

/** The non-empty values of each member of these records; the elements of a list one by one. */
function countMembers(records: readonly object[]): Map<string, number> {
  const names = records.flatMap((record) =>
    Object.entries(record).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).flatMap((each) => (each === null || each === '' ? [] : [name])),
    ),
  )
  return new Map([...Map.groupBy(names, (name) => name)].map(([name, { length }]) => [name, length]))
}

test.skipIf(!hasRealProgram('39c3.schedule.json'))(
  'of 39C3, the members of sessions that are not imported are named with their exact number',
  () => {
    const { conference } = JSON.parse(readRealProgram('39c3.schedule.json')).schedule
    const members = countMembers(conference.days.flatMap(({ rooms }: { rooms: object }) => Object.values(rooms).flat()))
    const { unused } = parseRealProgram('39c3.schedule.json')
    const ofEvents = unused.flatMap(({ name, count }) => (name.startsWith('event.') ? [[name.slice(6), count]] : []))
    expect(ofEvents).toEqual(ofEvents.map(([name]) => [name, members.get(String(name))]))
    expect(unused).toContainEqual({ name: 'days.index', count: 4 })
    expect(parseRealProgram('39c3.schedule.xml').unused).toContainEqual({ name: 'day.index', count: 4 })
  },
)

test.skipIf(!hasRealProgram('scottish-summit.sessionize.json'))(
  'of the Scottish Summit, the flags of sessions are named with their number',
  () => {
    const { unused } = parseRealProgram('scottish-summit.sessionize.json')
    expect(unused).toContainEqual({ name: 'sessions.isConfirmed', count: 61 })
  },
)
