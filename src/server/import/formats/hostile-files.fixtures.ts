import { expect } from 'vitest'
import { cpuTime } from '../../../../test/cpu-time.ts'
import { defaultLimits } from '../../../contract/limits.ts'
import { parseProgram } from './detect.ts'

/** Asserts that large files that are no program are rejected within seconds. @param length of the longest one */
export function expectHugeFilesRejected(length: number): void {
  const started = cpuTime()
  for (const text of [
    'a,'.repeat(length / 2),
    '['.repeat(length / 10),
    `Title,Start\n${'('.repeat(length * 0.3)}`,
    `Title,Start${',x'.repeat(length / 40)}\n${' ,\n'.repeat(length / 40)}`,
    'x'.repeat(length),
  ]) {
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
