import { spawnSync } from 'node:child_process'
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { benchOf, thisCheckout } from '../../bench/checkout.ts'
import type { Figures } from '../../bench/figures.ts'
import { isBeyondLimit, versusTable } from '../../bench/report.ts'
import { type Compared, limitOf } from '../../bench/versus.ts'
import { cases } from '../../bench/workload.ts'

const figures = (cpu: number): Figures => ({ rate: 1_000_000 / cpu, p50: 1, p99: 2, cpu, memory: 1e8 })

/** @param cpu microseconds per request in each round: of this checkout, of the other one */
const compared = (limit: number, ...cpu: [number, number][]): Compared => ({
  name: 'R1',
  what: 'feed page of 20',
  limit,
  rounds: cpu.map(([ours, other]) => ({ ours: figures(ours), other: figures(other) })),
})

test.each(cases.map((one) => [one.name, one] as const))(
  'the limit of %s is 1.05 if it is cold or on PostgreSQL, else 1.1',
  (name, one) => {
    expect(limitOf(one)).toBe(/ (cold|pg)$/.test(name) ? 1.05 : 1.1)
  },
)

test.each([
  ['the same', compared(1.1, [10, 10], [10, 10], [10, 10]), false],
  ['a tenth more', compared(1.1, [11, 10], [11, 10], [11, 10]), false],
  ['an eighth more', compared(1.1, [9, 8], [9, 8], [9, 8]), true],
  ['the same, below a limit of a twentieth', compared(1.05, [10, 10], [10, 10], [10, 10]), false],
  ['a tenth more, above a limit of a twentieth', compared(1.05, [11, 10], [11, 10], [11, 10]), true],
  ['more in one of three rounds', compared(1.1, [10, 10], [30, 10], [10, 10]), false],
  ['more in one of two rounds, and less in the other', compared(1.05, [12, 10], [8, 10]), false],
  ['more in each round, on a machine that becomes faster', compared(1.1, [40, 30], [24, 20], [13, 10]), true],
])('the comparison of two checkouts: %s', (_, one, isBeyond) => {
  expect(isBeyondLimit(one)).toBe(isBeyond)
})

test('the table has both figures, the median of the ratios and their range', () => {
  const all = [compared(1.1, [10, 10], [12, 10], [15, 10]), compared(1.1, [9, 10], [10, 10], [10.5, 10])]
  expect(versusTable(all).split('\n').slice(2)).toEqual([
    '| R1 | feed page of 20 | 83,333 | 100,000 | 12.0 | 10.0 | 1.200 | 1.00 to 1.50 | 1.10 | NO |',
    '| R1 | feed page of 20 | 100,000 | 100,000 | 10.0 | 10.0 | 1.000 | 0.90 to 1.05 | 1.10 | yes |',
  ])
})

test.each([
  ['a folder without Summit', (folder: string) => [folder], /has no src\/server\/main\.ts/],
  ['an unknown case', () => [thisCheckout, '--only', 'R1,R9'], /no case is called R9/],
  ['a case on PostgreSQL without DATABASE_URL', () => [thisCheckout, '--only', 'R1 pg'], /DATABASE_URL/],
])('refused: %s', (_, args, sentence) => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'summit-test-'))
  const [node, ...rest] = benchOf(thisCheckout)
  const { status, stderr } = spawnSync(node, [...rest, 'versus', ...args(folder.path)], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  })
  expect(stderr).toMatch(sentence)
  expect(status).toBe(1)
})
