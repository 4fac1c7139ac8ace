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

/** How two checkouts are compared. That it can be done at all is shown by `versus.long.test.ts`. */

const figures = (cpu: number): Figures => ({ rate: 1_000_000 / cpu, p50: 1, p99: 2, cpu, memory: 1e8 })

/** @param cpu microseconds for a request in each round: of ours, of the other's */
const compared = (limit: number, ...cpu: [number, number][]): Compared => ({
  name: 'R1',
  what: 'feed page of 20',
  limit,
  rounds: cpu.map(([ours, other]) => ({ ours: figures(ours), other: figures(other) })),
})

test.each(cases.map((one) => [one.name, one] as const))('%s may take at most so much more', (name, one) => {
  expect(limitOf(one)).toBe(/ (cold|pg)$/.test(name) ? 1.05 : 1.1)
})

test.each([
  ['the same', compared(1.1, [10, 10], [10, 10], [10, 10]), false],
  ['a tenth more', compared(1.1, [11, 10], [11, 10], [11, 10]), false],
  ['an eighth more', compared(1.1, [9, 8], [9, 8], [9, 8]), true],
  ['as much, where a tenth more is too much', compared(1.05, [10, 10], [10, 10], [10, 10]), false],
  ['a tenth more, where that is too much', compared(1.05, [11, 10], [11, 10], [11, 10]), true],
  ['more in one bad moment', compared(1.1, [10, 10], [30, 10], [10, 10]), false],
  ['more in one of two rounds, and less in the other', compared(1.05, [12, 10], [8, 10]), false],
  ['more in each round, on a machine that gets faster', compared(1.1, [40, 30], [24, 20], [13, 10]), true],
])('%s', (_, one, isBeyond) => {
  expect(isBeyondLimit(one)).toBe(isBeyond)
})

test('the table shows both sides, the median of the ratios and how far they are spread', () => {
  const all = [compared(1.1, [10, 10], [12, 10], [15, 10]), compared(1.1, [9, 10], [10, 10], [10.5, 10])]
  expect(versusTable(all).split('\n').slice(2)).toEqual([
    '| R1 | feed page of 20 | 83,333 | 100,000 | 12.0 | 10.0 | 1.200 | 1.00 to 1.50 | 1.10 | NO |',
    '| R1 | feed page of 20 | 100,000 | 100,000 | 10.0 | 10.0 | 1.000 | 0.90 to 1.05 | 1.10 | yes |',
  ])
})

test.each([
  ['a folder that is no checkout', (folder: string) => [folder], /has no src\/server\/main\.ts/],
  ['no such case', () => [thisCheckout, '--only', 'R1,R9'], /no case is called R9/],
  ['a case on PostgreSQL, and no PostgreSQL', () => [thisCheckout, '--only', 'R1 pg'], /DATABASE_URL/],
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
