import type { ImportWarning } from '../server/domains/import/source.ts'
import { formatWarnings } from './fold-warnings.ts'

/** One line of a plan: the change, its subject, and the differences. */
export interface PlanLine<Change extends string> {
  change: Change
  text: string
  differences: string[]
  /** The difference, if all lines that have it can be replaced by one: a renamed room is not 24 changes. */
  shared?: string | undefined
}

/** Lines shown of each kind of change without `--all`; any others are only counted. */
const maxShownPerChange = 20

/** How a plan is shown. */
export interface PlanStyle {
  /** The noun for the lines, such as `sessions`. */
  noun: string
  /** Whether to show every change and every warning on a line of its own. */
  all: boolean
}

/**
 * Formats a plan: the count of each change, then the changes (unchanged items are only counted), then the warnings,
 * most important first.
 */
export function formatPlan<Change extends string>(
  changes: readonly Change[],
  lines: readonly PlanLine<Change>[],
  warnings: readonly ImportWarning[],
  style: PlanStyle,
): string {
  const linesByChange = Map.groupBy(lines, (line) => line.change)
  const counts = changes.map(
    (change) => `  ${change.padEnd(10)} ${String(linesByChange.get(change)?.length ?? 0).padStart(6)}`,
  )
  const details = changes
    .filter((change) => change !== 'unchanged')
    .flatMap((change) => formatLines(change, linesByChange.get(change) ?? [], style))
  const warningLines = formatWarnings(warnings, style.all)
  return [
    ...counts,
    ...(details.length > 0 ? ['', ...details] : []),
    ...(warningLines.length > 0 ? ['', `Warnings (${warnings.length.toLocaleString('en')}):`, ...warningLines] : []),
  ].join('\n')
}

function formatLines(change: string, lines: readonly PlanLine<string>[], { noun, all }: PlanStyle): string[] {
  const groups = [...Map.groupBy(lines, (line) => (all ? undefined : line.shared) ?? line).values()]
  const limit = all ? groups.length : maxShownPerChange
  const rest = groups.slice(limit)
  const rows = groups.slice(0, limit).map((group) => `  ${change.padEnd(10)} ${formatGroup(group, noun)}`)
  return rest.length > 0 ? [...rows, `  … and ${rest.flat().length} more (--all lists them)`] : rows
}

function formatGroup(group: readonly PlanLine<string>[], noun: string): string {
  const [{ text, differences } = { text: '', differences: [] }] = group
  const subject = group.length > 1 ? `${group.length} ${noun}` : text
  return differences.length > 0 ? `${subject}: ${differences.join(', ')}` : subject
}
