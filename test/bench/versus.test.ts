import { spawnSync } from 'node:child_process'
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { benchCommand, thisCheckout } from '../../bench/checkout.ts'
import type { Measurement } from '../../bench/measure.ts'
import { exceedsLimit, formatComparisons } from '../../bench/report.ts'
import { type Comparison, cpuLimit } from '../../bench/versus.ts'
import { cases } from '../../bench/workload.ts'

/** How the comparison of two checkouts is judged and printed. `versus.long.test.ts` runs a comparison. */

const measurement = (cpu: number): Measurement => ({ rate: 1_000_000 / cpu, p50: 1, p99: 2, cpu, memory: 1e8 })

/** @param cpu microseconds per request in each round: of the candidate and of the reference */
const comparison = (limit: number, ...cpu: [number, number][]): Comparison => ({
  name: 'R1',
  description: 'feed page of 20',
  limit,
  rounds: cpu.map(([candidate, reference]) => ({
    candidate: measurement(candidate),
    reference: measurement(reference),
  })),
})

test.each(cases.map((benchCase) => [benchCase.name, benchCase] as const))(
  '%s has a limit of 1.05 if a database takes most of its time, and otherwise of 1.1',
  (name, benchCase) => {
    expect(cpuLimit(benchCase)).toBe(/ (cold|pg)$/.test(name) ? 1.05 : 1.1)
  },
)

test.each([
  ['equal time', comparison(1.1, [10, 10], [10, 10], [10, 10]), false],
  ['a tenth more', comparison(1.1, [11, 10], [11, 10], [11, 10]), false],
  ['an eighth more', comparison(1.1, [9, 8], [9, 8], [9, 8]), true],
  ['equal time, with the lower limit', comparison(1.05, [10, 10], [10, 10], [10, 10]), false],
  ['a tenth more, with the lower limit', comparison(1.05, [11, 10], [11, 10], [11, 10]), true],
  ['three times as much in a single round', comparison(1.1, [10, 10], [30, 10], [10, 10]), false],
  ['more in one of two rounds, less in the other', comparison(1.05, [12, 10], [8, 10]), false],
  ['more in each round, on a machine that speeds up', comparison(1.1, [40, 30], [24, 20], [13, 10]), true],
])('%s: whether it exceeds the limit', (_, candidate, isExceeded) => {
  expect(exceedsLimit(candidate)).toBe(isExceeded)
})

test('the table shows both sides, the median of the ratios and their range', () => {
  const comparisons = [comparison(1.1, [10, 10], [12, 10], [15, 10]), comparison(1.1, [9, 10], [10, 10], [10.5, 10])]
  expect(formatComparisons(comparisons).split('\n').slice(2)).toEqual([
    '| R1 | feed page of 20 | 83,333 | 100,000 | 12.0 | 10.0 | 1.200 | 1.00 to 1.50 | 1.10 | NO |',
    '| R1 | feed page of 20 | 100,000 | 100,000 | 10.0 | 10.0 | 1.000 | 0.90 to 1.05 | 1.10 | yes |',
  ])
})

test.each([
  ['a folder that is not a checkout', (folder: string) => [folder], /has no src\/server\/main\.ts/],
  ['an unknown case', () => [thisCheckout, '--only', 'R1,R9'], /Unknown case: R9\./],
  ['a case on PostgreSQL without DATABASE_URL', () => [thisCheckout, '--only', 'R1 pg'], /set DATABASE_URL/],
])('versus refuses %s', (_, args, message) => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'summit-test-'))
  const [node, ...rest] = benchCommand(thisCheckout)
  const { status, stderr } = spawnSync(node, [...rest, 'versus', ...args(folder.path)], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  })
  expect(stderr).toMatch(message)
  expect(status).toBe(1)
})
