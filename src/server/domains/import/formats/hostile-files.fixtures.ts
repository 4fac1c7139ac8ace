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
