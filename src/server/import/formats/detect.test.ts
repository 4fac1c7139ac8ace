import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cpuTime } from '../../../../test/cpu-time.ts'
import { isLong } from '../../../../test/long.ts'
import { defaultLimits } from '../../../contract/limits.ts'
import { parseProgram } from './detect.ts'

test.each([
  ['an empty file', ' \r\n\t', 'The file is empty.'],
  ['a web page', '\n<!DOCTYPE html>\n<html><body>', 'This is a web page'],
  ['a calendar', 'BEGIN:VCALENDAR\r\nVERSION:2.0', 'iCalendar'],
  [
    'a letter',
    'Dear all,\nhere is the program; enjoy.',
    'none of the formats looked for: a frab or pretalx schedule.xml',
  ],
  ['a table without a header', 'Talk,2025-01-01,09:00\nOther,2025-01-01,10:00', 'none of the formats looked for'],
  ['some JSON', '{"hello": 1}', 'is JSON but none of the formats looked for'],
  ['other XML', '<rss><channel/></rss>', 'This XML file is a <rss>'],
])('%s explains itself', (_, text, reason) => {
  const { format, sessions, problems } = parseProgram(text, 'strange.bin', defaultLimits)
  expect(format).toBe('unknown')
  expect(sessions).toEqual([])
  expect(problems).toEqual([{ line: 1, reason: expect.stringContaining(reason) }])
})

test('limits are those of the settings, and count characters as requests do', () => {
  const limits = { ...defaultLimits, name: 5, text: 3 }
  const { sessions, problems } = parseProgram(
    'Id,Title,Start,Room\nabcdef,😀😀😀😀😀,2025-01-01 09:00,😀😀😀\n2,😀😀😀😀😀!,2025-01-01 09:00,Hall',
    'a.csv',
    limits,
  )
  expect(sessions).toMatchObject([
    { key: 'abcdef', title: '😀😀😀😀😀', room: '😀😀😀' },
    { key: '2', title: '😀😀😀😀😀', room: 'Hal' },
  ])
  expect(problems.map(({ line }) => line)).toEqual([3, 3])
})

test('the content decides and not the name', () => {
  const xml =
    '\u{FEFF}<schedule><day date="2025-01-01"><room name="R"><event id="1"><start>09:00</start><title>A</title></event></room></day></schedule>'
  expect(parseProgram(xml, 'program.csv', defaultLimits)).toMatchObject({
    format: 'frab schedule.xml',
    sessions: [{ key: '1' }],
    problems: [],
  })
})

test('a program without sessions says so', () => {
  expect(parseProgram('<schedule><day/></schedule>', 'a.xml', defaultLimits).problems).toEqual([
    { line: 1, reason: 'The file holds no sessions.' },
  ])
  expect(parseProgram('Title,Start', 'a.csv', defaultLimits).problems).toEqual([
    { line: 1, reason: 'The file holds no sessions.' },
  ])
})

test('what is too long is cut with a reservation, never in the middle of a character', () => {
  const row = `a${'😀'.repeat(1200)},2025-01-01 09:00,${'r'.repeat(256)},${'s'.repeat(255)}`
  const { sessions, problems } = parseProgram(`Title,Start,Room,Speaker\n${row}`, 'a.csv', defaultLimits)
  expect(sessions[0]?.title).toBe(`a${'😀'.repeat(999)}`)
  expect(sessions[0]?.room).toBe('r'.repeat(255))
  expect(problems.map(({ line, reason }) => [line, reason.replace(/“.*”/, '…')])).toEqual([
    [2, 'The title … is longer than 1,000 characters and was cut.'],
    [2, 'The room … is longer than 255 characters and was cut.'],
  ])
})

test('speakers, positions and companies are as long as a line may be together, and those that are left out are counted', () => {
  const limits = { ...defaultLimits, text: 9 }
  const { sessions, problems } = parseProgram(
    [
      'Title,Start,Speaker,Position,Company',
      'Panel,2025-01-01 09:00,Ana;😀😀😀😀;Cleo,Chef;Engineer;Chef,ACME;ACME;ACME',
      'Talk,2025-01-01 09:00,Ana;Ben,Cook;Cooks,Inc.;Inc. 2',
    ].join('\n'),
    'a.csv',
    limits,
  )
  expect(sessions.map(({ speakers }) => speakers)).toEqual([
    [
      { name: 'Ana', position: 'Chef', company: 'ACME' },
      { name: '😀😀😀😀', position: '', company: 'ACME' },
    ],
    [
      { name: 'Ana', position: 'Cook', company: 'Inc.' },
      { name: 'Ben', position: '', company: '' },
    ],
  ])
  const leftOut = (title: string, what: string) =>
    `The ${what} of the session “${title}” are longer than 9 characters together; the last one was left out.`
  expect(problems).toEqual([
    { line: 2, reason: leftOut('Panel', 'speakers') },
    { line: 2, reason: leftOut('Panel', 'positions') },
    { line: 3, reason: leftOut('Talk', 'positions') },
    { line: 3, reason: leftOut('Talk', 'companies') },
  ])
})

test('a subtitle is as long as a title may be, and a text of a session 100,000 characters', () => {
  const text = '😀'.repeat(100_000)
  const { sessions, problems } = parseProgram(
    [
      'Title,Start,Subtitle,Abstract,Description',
      `Long,2025-01-01 09:00,${'s'.repeat(1_001)},${text}!,<p>${text}`,
      `Short,2025-01-01 09:00,${'s'.repeat(1_000)},${text},`,
    ].join('\n'),
    'a.csv',
    defaultLimits,
  )
  expect(
    sessions.map(({ description }) => description === `<p><strong>${'s'.repeat(1_000)}</strong></p><p>${text}</p>`),
  ).toEqual([true, true])
  expect(sessions[0]?.details === `<p>${'😀'.repeat(99_997)}</p>`).toBe(true)
  expect(problems.map(({ line, reason }) => [line, reason.replace(/“.*”/, '…')])).toEqual([
    [2, 'The subtitle … is longer than 1,000 characters and was cut.'],
    [2, 'The abstract of the session … is longer than 100,000 characters and was cut.'],
    [2, 'The description of the session … is longer than 100,000 characters and was cut.'],
  ])
})

test('NUL, lone surrogates and runs of white space leave a title', () => {
  const { sessions } = parseProgram('Title,Start\n" A\0 \ud800 \n\tB\u00a0C ",2025-01-01 09:00', 'a.csv', defaultLimits)
  expect(sessions[0]?.title).toBe('A B C')
})

test('hostile sizes cost seconds at the most', () => {
  // What grows with the square of the size shows in long mode.
  const part = isLong ? 1 : 10
  const started = cpuTime()
  for (const text of [
    'a,'.repeat(500_000 / part),
    '['.repeat(100_000 / part),
    `Title,Start\n${'('.repeat(300_000 / part)}`,
    `Title,Start${',x'.repeat(25_000 / part)}\n${' ,\n'.repeat(25_000 / part)}`,
    'x'.repeat(1_000_000 / part),
  ]) {
    expect(parseProgram(text, 'a', defaultLimits).problems).toHaveLength(1)
  }
  expect(cpuTime() - started).toBeLessThan(5_000)
})

test('lines end with CRLF, LF or CR alone', () => {
  const lines = [
    '<schedule>',
    '<day date="2025-01-01"><room>',
    '',
    '<event id="1"><start>09:00</start></event></room></day></schedule>',
  ]
  for (const ending of ['\r\n', '\n', '\r']) {
    expect(parseProgram(lines.join(ending), 'a.xml', defaultLimits).problems, JSON.stringify(ending)).toMatchObject([
      { line: 4 },
    ])
  }
})

test('JSON with comments is not JSON', () => {
  expect(parseProgram('{\n/* x */ "results": []}', 'a.json', defaultLimits).problems).toMatchObject([
    { line: 2, reason: expect.stringContaining('not valid JSON') },
  ])
})

const suite = new URL('../../../../../shared/corpora/json-test-suite/', import.meta.url)
test.skipIf(!existsSync(suite))('JSON that must parse does, and everything else explains itself', () => {
  for (const name of readdirSync(suite)) {
    const { sessions, problems } = parseProgram(
      readFileSync(new URL(encodeURIComponent(name), suite), 'utf8'),
      name,
      defaultLimits,
    )
    expect(sessions, name).toEqual([])
    expect(problems, name).toHaveLength(1)
    if (name.startsWith('y_')) expect(problems[0]?.reason, name).not.toMatch(/not (?:valid|usable) JSON/)
  }
})
