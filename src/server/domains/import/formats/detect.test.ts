import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { defaultLimits } from '../../../../contract/limits.ts'
import { programFormats } from '../program-formats.ts'
import { parseProgram } from './detect.ts'
import { formats, parseInventedProgram } from './programs.fixtures.ts'

test.each(formats)('a file in the format %s is recognized, and its sessions are read', (format) => {
  const program = parseInventedProgram(format)
  expect(program.format).toBe(format)
  expect(program.sessions.length).toBeGreaterThan(2)
})

test('the guide for operators names every format, as the help does', () => {
  const guide = readFileSync(new URL('../../../../../docs/operate/imports-programs.md', import.meta.url), 'utf8')
  const plain = guide.replace(/\]\(.*?\)|[`[]/g, '').replace(/\s+/g, ' ')
  expect(Object.values(programFormats).filter((description) => !plain.includes(description))).toEqual([])
})

test.each([
  ['an empty file', ' \r\n\t', 'The file is empty.'],
  ['a web page', '\n<!DOCTYPE html>\n<html><body>', 'This is a web page'],
  [
    'a letter',
    'Dear all,\nhere is the program; enjoy.',
    'not in a supported format. Supported: a Pentabarf, frab, voc or pretalx schedule.xml',
  ],
  ['a table without a header', 'Talk,2025-01-01,09:00\nOther,2025-01-01,10:00', 'not in a supported format'],
  ['some JSON', '{"hello": 1}', 'is JSON, but not in a supported format'],
  ['other XML', '<rss><channel/></rss>', 'This XML file is a <rss>'],
])('%s gets a warning that explains why it cannot be imported', (_, text, message) => {
  const { format, sessions, warnings } = parseProgram(text, 'strange.bin', defaultLimits)
  expect(format).toBe('unknown')
  expect(sessions).toEqual([])
  expect(warnings).toEqual([{ line: 1, message: expect.stringContaining(message) }])
})

test('of a spreadsheet without headings of a program, it says which it reads', () => {
  const { format, warnings } = parseProgram('Name,Shoe size\nAna,38', 'people.csv', defaultLimits)
  expect(format).toBe('unknown')
  expect(warnings[0]?.message).toMatch(/^“people\.csv” has no row of headings for a program: .*a title and a start\./)
})

test('the configured limits apply, in characters as in requests', () => {
  const limits = { ...defaultLimits, name: 5, text: 3 }
  const { sessions, warnings } = parseProgram(
    'Id,Title,Start,Room\nabcdef,😀😀😀😀😀,2025-01-01 09:00,😀😀😀\n2,😀😀😀😀😀!,2025-01-01 09:00,Hall',
    'a.csv',
    limits,
  )
  expect(sessions).toMatchObject([
    { key: 'abcdef', title: '😀😀😀😀😀', room: '😀😀😀' },
    { key: '2', title: '😀😀😀😀😀', room: 'Hal' },
  ])
  expect(warnings.map(({ line }) => line)).toEqual([3, 3])
})

test('the format is detected from the content, not from the file name', () => {
  const xml =
    '\u{FEFF}<schedule><day date="2025-01-01"><room name="R"><event id="1"><start>09:00</start><title>A</title></event></room></day></schedule>'
  expect(parseProgram(xml, 'program.csv', defaultLimits)).toMatchObject({
    format: 'frab schedule.xml',
    sessions: [{ key: '1' }],
    warnings: [],
  })
})

test('a program without sessions gets a warning', () => {
  expect(parseProgram('<schedule><day/></schedule>', 'a.xml', defaultLimits).warnings).toEqual([
    { line: 1, message: 'The file contains no sessions.' },
  ])
  expect(parseProgram('Title,Start', 'a.csv', defaultLimits).warnings).toEqual([
    { line: 1, message: 'The file contains no sessions.' },
  ])
})

test('long values are shortened with a warning, never in the middle of a character', () => {
  const row = `a${'😀'.repeat(1200)},2025-01-01 09:00,${'r'.repeat(256)},${'s'.repeat(255)}`
  const { sessions, warnings } = parseProgram(`Title,Start,Room,Speaker\n${row}`, 'a.csv', defaultLimits)
  expect(sessions[0]?.title).toBe(`a${'😀'.repeat(999)}`)
  expect(sessions[0]?.room).toBe('r'.repeat(255))
  expect(warnings.map(({ line, message }) => [line, message.replace(/“.*”/, '…')])).toEqual([
    [2, 'The title … is longer than 1,000 characters and was shortened.'],
    [2, 'The room … is longer than 255 characters and was shortened.'],
  ])
})

test('speakers are read whole, however long their names, positions and companies are together', () => {
  const numbers = Array.from({ length: 1_002 }, (_, n) => n)
  const cell = (word: string) => numbers.map((n) => `${word} ${n}`).join(';')
  const { sessions, warnings } = parseProgram(
    `Title,Start,Speaker,Position,Company\nPosters,2025-01-01 09:00,${cell('Name')},${cell('Job')},${cell('Firm')}`,
    'a.csv',
    defaultLimits,
  )
  expect(sessions[0]?.speakers).toMatchObject(
    numbers.slice(0, 1_000).map((n) => ({ name: `Name ${n}`, position: `Job ${n}`, company: `Firm ${n}` })),
  )
  expect(warnings).toEqual([
    { line: 2, message: 'Session “Posters” has more than 1,000 speakers; the last 2 were left out.' },
  ])
})

test('a subtitle may be as long as a title, and an abstract or description 100,000 characters', () => {
  const text = '😀'.repeat(100_000)
  const { sessions, warnings } = parseProgram(
    [
      'Title,Start,Subtitle,Abstract,Description',
      `Long,2025-01-01 09:00,${'s'.repeat(1_001)},${text}!,<p>${text}`,
      `Short,2025-01-01 09:00,${'s'.repeat(1_000)},${text},`,
    ].join('\n'),
    'a.csv',
    defaultLimits,
  )
  for (const { subtitle, description } of sessions)
    expect([subtitle === 's'.repeat(1_000), description === `<p>${text}</p>`]).toEqual([true, true])
  expect(sessions[0]?.details === `<p>${'😀'.repeat(99_997)}</p>`).toBe(true)
  expect(warnings.map(({ line, message }) => [line, message.replace(/“.*”/, '…')])).toEqual([
    [2, 'The subtitle … is longer than 1,000 characters and was shortened.'],
    [2, 'The abstract of session … is longer than 100,000 characters and was shortened.'],
    [2, 'The description of session … is longer than 100,000 characters and was shortened.'],
  ])
})

test('NUL, lone surrogates and runs of white space are removed from a title', () => {
  const { sessions } = parseProgram('Title,Start\n" A\0 \ud800 \n\tB\u00a0C ",2025-01-01 09:00', 'a.csv', defaultLimits)
  expect(sessions[0]?.title).toBe('A B C')
})

test('lines may end with CRLF, LF or a lone CR', () => {
  const lines = [
    '<schedule>',
    '<day date="2025-01-01"><room>',
    '',
    '<event id="1"><start>09:00</start></event></room></day></schedule>',
  ]
  for (const ending of ['\r\n', '\n', '\r']) {
    expect(parseProgram(lines.join(ending), 'a.xml', defaultLimits).warnings, JSON.stringify(ending)).toMatchObject([
      { line: 4 },
    ])
  }
})

test.each([
  ['blank lines', '\n\r\n \t'],
  ['a byte order mark in the middle', '\n\u{FEFF}\n'],
  ['nothing', ''],
  ['comments', '<!-- by a proxy -->\n<!-- <?xml --> \n'],
])('%s before the XML declaration are skipped, and the lines of warnings are those of the file', (_, before) => {
  const xml = `<?xml version="1.0"\nencoding='utf-8'?>\n<schedule><day date="2025-01-01"><room name="R"><event id="1"><start>09:00</start><title>A</title></event>
<event id="2"><start>x</start><title>B</title></event></room></day></schedule>`
  const { format, sessions, warnings } = parseProgram(before + xml, 'schedule.xml', defaultLimits)
  expect([format, sessions.length]).toEqual(['frab schedule.xml', 1])
  expect(warnings).toMatchObject([{ line: 3 + before.split('\n').length }])
})
