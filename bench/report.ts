import { median, medianMeasurement } from './measure.ts'
import type { CaseResult } from './run.ts'
import type { Comparison } from './versus.ts'

/** The fraction of its ratio that a case may lose before it counts as a regression. */
const tolerance = 0.2

/** The results of a run as a Markdown table. */
export function formatResults(results: CaseResult[]): string {
  const columns = [
    'case',
    'operation',
    'requests/s',
    'p50 ms',
    'p99 ms',
    'CPU µs',
    'MB',
    'floor',
    'floor requests/s',
    'floor CPU µs',
    'ratio',
    'target',
  ]
  const rows = results.map(({ name, description, floor, target, candidate, reference, ratio }) => [
    name,
    description,
    formatInteger(candidate.rate),
    candidate.p50.toFixed(2),
    candidate.p99.toFixed(2),
    candidate.cpu.toFixed(0),
    formatInteger(candidate.memory / 1e6),
    floor,
    formatInteger(reference.rate),
    reference.cpu.toFixed(0),
    ratio.toFixed(2),
    `${target}`,
  ])
  return markdownTable(columns, rows)
}

export const markdownTable = (columns: string[], rows: string[][]): string =>
  [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

export const formatInteger = (value: number): string => Math.round(value).toLocaleString('en')

/** Compares the cases that both runs have. @returns a line for each, and the names of those that regressed */
export function compareRuns(before: CaseResult[], after: CaseResult[]): { lines: string[]; regressions: string[] } {
  const lines: string[] = []
  const regressions: string[] = []
  for (const { name, ratio } of after) {
    const earlier = before.find((result) => result.name === name)?.ratio
    if (earlier === undefined) continue
    lines.push(`${name.padEnd(11)} ${earlier.toFixed(2)} -> ${ratio.toFixed(2)}`)
    if (ratio < earlier * (1 - tolerance)) regressions.push(name)
  }
  return { lines, regressions }
}

/** The processor time per request of this checkout, divided by the other's, for each round. */
const cpuRatios = ({ rounds }: Comparison): number[] =>
  rounds.map(({ candidate, reference }) => candidate.cpu / reference.cpu)

/** Whether this checkout takes too much processor time. The median ignores single rounds on a busy machine. */
export const exceedsLimit = (comparison: Comparison): boolean => median(cpuRatios(comparison)) > comparison.limit

/** The comparison of two checkouts as a Markdown table. */
export function formatComparisons(comparisons: Comparison[]): string {
  const columns = [
    'case',
    'operation',
    'requests/s',
    'other requests/s',
    'CPU µs',
    'other CPU µs',
    'CPU ratio',
    'spread',
    'limit',
    'within limit',
  ]
  const rows = comparisons.map((comparison) => {
    const candidate = medianMeasurement(comparison.rounds.map((round) => round.candidate))
    const reference = medianMeasurement(comparison.rounds.map((round) => round.reference))
    const ratios = cpuRatios(comparison)
    return [
      comparison.name,
      comparison.description,
      formatInteger(candidate.rate),
      formatInteger(reference.rate),
      candidate.cpu.toFixed(1),
      reference.cpu.toFixed(1),
      median(ratios).toFixed(3),
      `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
      comparison.limit.toFixed(2),
      exceedsLimit(comparison) ? 'NO' : 'yes',
    ]
  })
  return markdownTable(columns, rows)
}
