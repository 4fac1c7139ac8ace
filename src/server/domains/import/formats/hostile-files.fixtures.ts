import { expect } from 'vitest'
import { cpuTime } from '../../../../../test/cpu-time.ts'
import { defaultLimits } from '../../../../contract/limits.ts'
import { isBlank } from '../../../../contract/visible.ts'
import type { ProgramFormat } from '../program-formats.ts'
import { parseProgram } from './detect.ts'
import { readInventedProgram } from './programs.fixtures.ts'

/** Large files that are no program. @param length of the longest one */
export const hugeFiles = (length: number): string[] => [
  'a,'.repeat(length / 2),
  '['.repeat(length / 10),
  `Title,Start\n${'('.repeat(length * 0.3)}`,
  `Title,Start${',x'.repeat(length / 40)}\n${' ,\n'.repeat(length / 40)}`,
  'x'.repeat(length),
]

/** Asserts that large files that are no program are rejected within seconds. @param length of the longest one */
export function expectHugeFilesRejected(length: number): void {
  const started = cpuTime()
  for (const text of hugeFiles(length)) {
    expect(parseProgram(text, 'a', defaultLimits).warnings).toHaveLength(1)
  }
  expect(cpuTime() - started).toBeLessThan(5_000)
}

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const membersOf = (count: number) => Object.fromEntries(times(count, (at) => [`m${at}`, 1]))
const startOf = (at: number) => `2030-05-${10 + (at % 3)}T09:${10 + (at % 50)}:00`
const long = (length: number) => 'x &'.repeat(length / 3)

const sessionize = (parts: object) => JSON.stringify({ sessions: [], ...parts })
const sessionsOf = (count: number, parts: object) =>
  times(count, (at) => ({ id: `${at}`, title: `T${at}`, startsAt: startOf(at), endsAt: startOf(at), ...parts }))
const categoryOf = (title: string, items: object[], others: object = {}) => ({ id: 1, title, ...others, items })
const frab = (conference: object) => JSON.stringify({ schedule: { conference } })
const eventsOf = (count: number, parts: object = {}) =>
  times(count, (at) => ({ id: at + 1, date: startOf(at), duration: '00:30', title: `T${at}`, ...parts }))
const talksOf = (count: number, parts: object) =>
  times(count, (at) => ({ code: `C${at}`, title: `T${at}`, start: startOf(at), ...parts }))
const slotsOf = (count: number) => times(count, (at) => ({ start: startOf(at), room: 'Hall' }))
const calendar = (...lines: string[]) => ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\r\n')
const vevent = (uid: number, ...lines: string[]) =>
  ['BEGIN:VEVENT', `UID:${uid}`, 'SUMMARY:A', 'DTSTART:20300514T090000', ...lines, 'END:VEVENT'].join('\r\n')

/** Files in which many records refer to one that is large, or a list is compared with itself. They grow with `n`. */
export const growingFiles: Record<string, (n: number) => string> = {
  'Sessionize: a long tag of all sessions': (n) =>
    sessionize({
      sessions: sessionsOf(n, { categoryItems: [1, 1, 1, 1] }),
      categories: [categoryOf('Level', [{ id: 1, name: long(100 * n) }])],
    }),
  'Sessionize: a long track of all sessions': (n) =>
    sessionize({
      sessions: sessionsOf(n, { categoryItems: [1] }),
      categories: [categoryOf('Track', [{ id: 1, name: long(200 * n) }])],
    }),
  'Sessionize: a category with many members': (n) =>
    sessionize({
      sessions: sessionsOf(1, {}),
      categories: [
        categoryOf(
          'Track',
          times(8 * n, (id) => ({ id, name: 'A' })),
          membersOf(8 * n),
        ),
      ],
    }),
  'Sessionize: a speaker with many links in all sessions': (n) =>
    sessionize({
      sessions: sessionsOf(3 * n, { speakers: ['a'] }),
      speakers: [{ id: 'a', fullName: 'Ana', links: times(4 * n, () => ({ title: '', url: 'https://x.example/' })) }],
    }),
  'Sessionize: a speaker with a long name in all sessions': (n) =>
    sessionize({ sessions: sessionsOf(n, { speakers: ['a'] }), speakers: [{ id: 'a', fullName: long(200 * n) }] }),
  'Sessionize: a speaker with a long biography in sessions without an id': (n) =>
    sessionize({
      sessions: sessionsOf(6 * n, { id: '', speakers: ['a'] }),
      speakers: [{ id: 'a', fullName: 'Ana', bio: long(60 * n) }],
    }),
  'Sessionize: a room with a long name': (n) =>
    sessionize({ sessions: sessionsOf(n, { roomId: 1 }), rooms: [{ id: 1, name: long(200 * n) }] }),
  'schedule.json: a room with a long name': (n) =>
    frab({ days: [{ date: '2030-05-14', rooms: { [long(200 * n)]: eventsOf(n) } }] }),
  'schedule.json: a room with descriptions in many languages': (n) =>
    frab({
      rooms: [{ name: 'Hall', ...Object.fromEntries(times(8 * n, (at) => [`description_${at}`, ''])) }],
      days: [{ date: '2030-05-14', rooms: { Hall: eventsOf(1) } }],
    }),
  'schedule.json: a day with a long date': (n) =>
    frab({
      days: [
        { date: `2030-05-14${' '.repeat(400 * n)}x`, rooms: { Hall: eventsOf(4 * n, { date: '', start: '9:00' }) } },
      ],
    }),
  'schedule.json: links relative to a long URL': (n) =>
    frab({
      base_url: `https://x.example/${'a'.repeat(400 * n)}/`,
      days: [{ date: '2030-05-14', rooms: { Hall: eventsOf(n, { links: times(10, (at) => ({ url: `/${at}` })) }) } }],
    }),
  'schedule.xml: a room with a long name': (n) =>
    `<schedule><day date="2030-05-14"><room name="${'x &amp; '.repeat(50 * n)}" guid="r">${times(
      n,
      (at) => `<event id="${at}"><date>${startOf(at)}</date><title>T${at}</title></event>`,
    ).join('')}</room></day></schedule>`,
  'pretalx: a talk with many slots and a long text': (n) =>
    JSON.stringify({ results: [{ code: 'A', title: 'A', abstract: long(60 * n), slots: slotsOf(n) }] }),
  'pretalx: a talk with many slots and speakers': (n) =>
    JSON.stringify({
      results: [{ code: 'A', title: 'A', speakers: times(n, (at) => `p${at}`), slots: slotsOf(n) }],
      speakers: times(n, (at) => ({ code: `p${at}`, name: `P${at}` })),
    }),
  'pretalx: a speaker with many members in all talks': (n) =>
    JSON.stringify({
      talks: talksOf(5 * n, { speakers: ['a'] }),
      speakers: [{ code: 'a', name: 'A', ...membersOf(8 * n) }],
    }),
  'JSON:API: a long name of all sessions': (n) =>
    JSON.stringify({
      data: times(n, (id) => ({
        ...{ type: 's', id, attributes: { title: `T${id}`, starts_at: startOf(id) } },
        relationships: { speakers: { data: [{ type: 'p', id: 1 }] } },
      })),
      included: [{ type: 'p', id: 1, attributes: { name: long(200 * n) } }],
    }),
  'CSV: many rows of one session': (n) =>
    ['Id,Title,Start,Speaker', ...times(15 * n, (at) => `1,A,2030-05-14 09:00,P${at}`)].join('\n'),
  'CSV: a long cell that applies to the rows below': (n) =>
    ['Title,Date,Time', `A,"${long(200 * n)}",9:00`, ...times(10 * n, (at) => `T${at},,10:00`)].join('\n'),
  'iCalendar: a calendar with many properties': (n) =>
    calendar(...times(80 * n, () => 'X-A:1'), ...times(10 * n, (at) => vevent(at))),
  'iCalendar: an event with a long text that repeats': (n) =>
    calendar(vevent(1, `RRULE:FREQ=DAILY;COUNT=${Math.ceil(n / 12)}`, `DESCRIPTION:${long(80 * n)}`)),
}

/** Asserts that the time for a file is about linear in its size: four times the size may take ten times as long, not 16. */
export function expectLinear(file: (n: number) => string): void {
  const timeFor = (n: number) => {
    const text = file(n)
    const started = cpuTime()
    parseProgram(text, 'a', defaultLimits)
    return cpuTime() - started
  }
  timeFor(10)
  const time = timeFor(300)
  expect(timeFor(1_200)).toBeLessThan(10 * time + 500)
}

/** Asserts that JSON without a program gets one warning, which says that it is invalid only if it is. */
export function expectJsonWarning(text: string, name: string, isValid: boolean): void {
  const { sessions, warnings } = parseProgram(text, name, defaultLimits)
  expect(sessions, name).toEqual([])
  expect(warnings, name).toHaveLength(1)
  if (isValid) expect(warnings[0]?.message, name).not.toMatch(/not valid JSON|nested too deeply/)
}

/**
 * Asserts that damaged files of a format are read without an error, and give usable sessions or none: files that are
 * cut off, and files with another word or value in one place.
 * @param places the number of damaged places to try
 */
export function expectDamagedFilesRead(format: ProgramFormat, places: number): void {
  const text = readInventedProgram(format)
  for (const at of spread(text.length, places)) expectUsable(text.slice(0, at))

  const words = [...text.matchAll(/[\p{L}\p{N}:+-]{2,}/gu)]
  for (const place of spread(words.length, places)) {
    const { index, 0: word } = words[place] ?? { index: 0, 0: '' }
    for (const other of ['', '-1', '99999999999999999999', '\0\ud800', '<a>', 'x'.repeat(1_001)])
      expectUsable(text.slice(0, index) + other + text.slice(index + word.length))
  }

  if (!/^[[{]/.test(text)) return
  const values = replaceValue(text, -1, null).count
  for (const place of spread(values, places))
    for (const other of [null, true, -1, 1e300, '', 'x', [], {}, [[]], [null], { en: {} }])
      expectUsable(replaceValue(text, place, other).text)
}

/** At most `count` of the numbers below `end`, evenly spread. */
const spread = (end: number, count: number): number[] =>
  Array.from({ length: Math.min(end, count) }, (_, nth) => Math.floor((nth * end) / Math.min(end, count)))

function replaceValue(json: string, place: number, other: unknown): { text: string; count: number } {
  let count = 0
  const damaged = JSON.parse(json, (_, value) => (count++ === place ? other : value))
  return { text: JSON.stringify(damaged, null, 1), count }
}

const timestamp = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/

function expectUsable(text: string): void {
  const { sessions, warnings } = parseProgram(text, 'a', defaultLimits)
  const lines = text.split(/\r\n?|\n/).length
  const isUsable = sessions.every(
    ({ key, title, startsAt, endsAt }) =>
      (key === '' || !isBlank(key)) &&
      !isBlank(title) &&
      timestamp.test(startsAt) &&
      timestamp.test(endsAt) &&
      startsAt <= endsAt,
  )
  const hasLines = warnings.every(({ line }) => line >= 1 && line <= lines)
  expect([isUsable, hasLines, sessions.length + warnings.length > 0], text).toEqual([true, true, true])
}
