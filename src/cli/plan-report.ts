import type { Remark } from '../server/import/source.ts'

/** One line of a plan: what is to happen, to what, and what differs. */
export interface PlanLine<Change extends string> {
  change: Change
  text: string
  differences: string[]
}

/** As many lines of each kind of change are shown; the rest is counted, unless all are asked for. */
const shownOfEach = 20

/**
 * Prints a plan: how many of each change, then what they are (the unchanged are only counted), then every row that
 * cannot be used with its reason, in the order of lines.
 * @param all whether every line is shown, however many there are
 */
export function planReport<Change extends string>(
  changes: readonly Change[],
  lines: readonly PlanLine<Change>[],
  problems: readonly Remark[],
  all: boolean,
): string {
  const ofChange = Map.groupBy(lines, (line) => line.change)
  const counts = changes.map(
    (change) => `  ${change.padEnd(10)} ${String(ofChange.get(change)?.length ?? 0).padStart(6)}`,
  )
  const details = changes
    .filter((change) => change !== 'unchanged')
    .flatMap((change) => listed(ofChange.get(change) ?? [], all ? Number.POSITIVE_INFINITY : shownOfEach))
  const remarks = problems.toSorted((a, b) => a.line - b.line).map(toLine)
  return [
    ...counts,
    ...(details.length > 0 ? ['', ...details] : []),
    ...(remarks.length > 0 ? ['', `Remarks on rows of the file (${remarks.length}):`, ...remarks] : []),
  ].join('\n')
}

function listed<Change extends string>(lines: readonly PlanLine<Change>[], most: number): string[] {
  const shown = lines.slice(0, most).map(({ change, text, differences }) => {
    const why = differences.length > 0 ? `: ${differences.join(', ')}` : ''
    return `  ${change.padEnd(10)} ${text}${why}`
  })
  return lines.length > most ? [...shown, `  … and ${lines.length - most} more (--all lists them)`] : shown
}

const toLine = ({ line, reason }: Remark): string => `  line ${line}: ${reason}`
