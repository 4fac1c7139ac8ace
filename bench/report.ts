import { median, medians } from './figures.ts'
import type { Measured } from './run.ts'
import type { Compared } from './versus.ts'

/** A ratio that has fallen by more than this part of itself is a regression. */
const tolerated = 0.2

const columns = [
  'case',
  'what',
  'requests/s',
  'p50 ms',
  'p99 ms',
  'CPU µs',
  'MB',
  'floor',
  'its requests/s',
  'its CPU µs',
  'ratio',
  'target',
]

/** The measurements as one table in Markdown. */
export function table(measured: Measured[]): string {
  const rows = measured.map(({ name, what, floor, target, ours, theFloor, ratio }) => [
    name,
    what,
    whole(ours.rate),
    ours.p50.toFixed(2),
    ours.p99.toFixed(2),
    ours.cpu.toFixed(0),
    whole(ours.memory / 1e6),
    floor,
    whole(theFloor.rate),
    theFloor.cpu.toFixed(0),
    ratio.toFixed(2),
    `${target}`,
  ])
  return markdown(columns, rows)
}

/** A table in Markdown. */
export const markdown = (columns: string[], rows: string[][]): string =>
  [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

export const whole = (value: number): string => Math.round(value).toLocaleString('en')

/** A line for each case that both runs have: its ratio then and now. */
export function comparison(before: Measured[], now: Measured[]): { lines: string[]; fallen: string[] } {
  const lines: string[] = []
  const fallen: string[] = []
  for (const { name, ratio } of now) {
    const earlier = before.find((one) => one.name === name)?.ratio
    if (earlier === undefined) continue
    lines.push(`${name.padEnd(8)} ${earlier.toFixed(2)} -> ${ratio.toFixed(2)}`)
    if (ratio < earlier * (1 - tolerated)) fallen.push(name)
  }
  return { lines, fallen }
}

/** Our processor time for a request over the other's, round by round. */
const cpuRatios = ({ rounds }: Compared): number[] => rounds.map(({ ours, other }) => ours.cpu / other.cpu)

/** Whether this checkout takes more processor time than the other allows it; one bad moment of the machine does not count. */
export const isBeyondLimit = (compared: Compared): boolean => median(cpuRatios(compared)) > compared.limit

/** The comparison of two checkouts as one table in Markdown. */
export function versusTable(all: Compared[]): string {
  const rows = all.map((compared) => {
    const ours = medians(compared.rounds.map((round) => round.ours))
    const other = medians(compared.rounds.map((round) => round.other))
    const ratios = cpuRatios(compared)
    return [
      compared.name,
      compared.what,
      whole(ours.rate),
      whole(other.rate),
      ours.cpu.toFixed(1),
      other.cpu.toFixed(1),
      median(ratios).toFixed(3),
      `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
      compared.limit.toFixed(2),
      isBeyondLimit(compared) ? 'NO' : 'yes',
    ]
  })
  const columns = [
    'case',
    'what',
    'requests/s',
    "other's",
    'CPU µs',
    "other's",
    'CPU ratio',
    'spread',
    'limit',
    'within',
  ]
  return markdown(columns, rows)
}
