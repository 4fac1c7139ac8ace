import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { cpuTime } from '../../../../../test/cpu-time.ts'
import { findSharedData } from '../../../../../test/shared-data.ts'
import { defaultLimits } from '../../../../contract/limits.ts'
import { parseProgram } from './detect.ts'
import {
  expectDamagedFilesRead,
  expectHugeFilesRejected,
  expectJsonWarning,
  expectLinear,
  growingFiles,
} from './hostile-files.fixtures.ts'
import { formats } from './programs.fixtures.ts'

// At this size a quadratic run time exceeds the limit.
test('hostile files of a megabyte are rejected within seconds', () => expectHugeFilesRejected(1_000_000))

test('ids that differ only in their last characters, each of two sessions, get keys within seconds', () => {
  const rows = Array.from(
    { length: 4_000 },
    (_, n) => `${'x'.repeat(246)}${1_000 + (n % 2_000)},A,2030-05-14 09:00,${n}`,
  )
  const started = cpuTime()
  const { sessions } = parseProgram(['Id,Title,Start,Room', ...rows].join('\n'), 'a.csv', defaultLimits)
  expect(new Set(sessions.map(({ key }) => key)).size).toBe(4_000)
  expect(cpuTime() - started).toBeLessThan(5_000)
})

test('2,000 titles with many notes, and many stars, are read within seconds', () => {
  const rows = Array<string>(2_000).fill(`${'Canceled: '.repeat(49)}${'*'.repeat(499)}b,2030-05-14 09:00`)
  const started = cpuTime()
  expect(parseProgram(['Title,Start', ...rows].join('\n'), 'a.csv', defaultLimits).sessions).toHaveLength(2_000)
  expect(cpuTime() - started).toBeLessThan(5_000)
})

test.each(Object.entries(growingFiles))('a file is read in a time that is about linear in its size: %s', (_, file) =>
  expectLinear(file),
)

test('expressions do not overflow the stack for a comment or property of ten million characters', () => {
  const xml = `<!--${'a'.repeat(10_000_000)}--><schedule><event><title>A</title></event></schedule>`
  expect(parseProgram(xml, 'a.xml', defaultLimits).format).toBe('frab schedule.xml')
  const property = `COMMENT;X=${'"a"'.repeat(4_000_000)}:b`
  const lines = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'SUMMARY:A', 'DTSTART:20300514T090000', property, 'END:VEVENT']
  expect(parseProgram(lines.join('\n'), 'a.ics', defaultLimits).sessions).toHaveLength(1)
})

test('the names of a time zone are written by the same formatters on all days', () => {
  const dayOf = (at: number) => new Date(Date.UTC(1990, 0, at)).toISOString().slice(0, 10)
  const rows = Array.from({ length: 2_000 }, (_, at) => `A,${dayOf(at)},9:00 CET`)
  const options = { timeZone: 'Europe/Paris' }
  using created = vi.spyOn(Intl, 'DateTimeFormat')
  expect(parseProgram(['Title,Date,Time', ...rows].join('\n'), 'a.csv', defaultLimits, options).sessions).toHaveLength(
    2_000,
  )
  expect(created.mock.calls.length).toBeLessThan(200)
})

test.each(formats)('files in the format %s that are damaged in one of 40 places are read without an error', (format) =>
  expectDamagedFilesRead(format, 40),
)

/** JSONTestSuite (https://github.com/nst/JSONTestSuite), where present: files that begin with `y_` are valid. */
const suite = findSharedData('corpora/json-test-suite')

test.skipIf(!suite)('every file of JSONTestSuite gets one warning, and no valid one is called invalid', () => {
  for (const name of readdirSync(suite ?? ''))
    expectJsonWarning(readFileSync(join(suite ?? '', name), 'utf8'), name, name.startsWith('y_'))
})

test('hostile files of 100,000 characters are rejected within seconds', () => expectHugeFilesRejected(100_000))

test.each(formats)('files in the format %s that are damaged in one of 2 places are read without an error', (format) =>
  expectDamagedFilesRead(format, 2),
)
