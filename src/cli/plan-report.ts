import type { ImportWarning } from '../server/import/source.ts'

/** One line of a plan: the change, its subject, and the differences. */
export interface PlanLine<Change extends string> {
  change: Change
  text: string
  differences: string[]
}

/** Lines shown of each kind of change without `--all`; any others are only counted. */
const maxShownPerChange = 20

/**
 * Formats a plan: the count of each change, then the changes (unchanged items are only counted), then the warnings by
 * line.
 * @param all whether to show every change
 */
export function formatPlan<Change extends string>(
  changes: readonly Change[],
  lines: readonly PlanLine<Change>[],
  warnings: readonly ImportWarning[],
  all: boolean,
): string {
  const linesByChange = Map.groupBy(lines, (line) => line.change)
  const counts = changes.map(
    (change) => `  ${change.padEnd(10)} ${String(linesByChange.get(change)?.length ?? 0).padStart(6)}`,
  )
  const details = changes
    .filter((change) => change !== 'unchanged')
    .flatMap((change) =>
      formatLines(linesByChange.get(change) ?? [], all ? Number.POSITIVE_INFINITY : maxShownPerChange),
    )
  const warningLines = warnings
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, message }) => `  line ${line}: ${message}`)
  return [
    ...counts,
    ...(details.length > 0 ? ['', ...details] : []),
    ...(warningLines.length > 0 ? ['', `Warnings (${warningLines.length}):`, ...warningLines] : []),
  ].join('\n')
}

function formatLines<Change extends string>(lines: readonly PlanLine<Change>[], max: number): string[] {
  const shown = lines.slice(0, max).map(({ change, text, differences }) => {
    const details = differences.length > 0 ? `: ${differences.join(', ')}` : ''
    return `  ${change.padEnd(10)} ${text}${details}`
  })
  return lines.length > max ? [...shown, `  … and ${lines.length - max} more (--all lists them)`] : shown
}
