import type { ImportWarning, UnusedValues } from '../server/domains/import/source.ts'

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
  const rows = groups.slice(0, limit).map((group) => `  ${change.padEnd(10)} ${formatLineGroup(group, noun)}`)
  return rest.length > 0 ? [...rows, `  … and ${rest.flat().length} more (--all lists them)`] : rows
}

function formatLineGroup(group: readonly PlanLine<string>[], noun: string): string {
  const [{ text, differences } = { text: '', differences: [] }] = group
  const subject = group.length > 1 ? `${group.length} ${noun}` : text
  return differences.length > 0 ? `${subject}: ${differences.join(', ')}` : subject
}

/** As many similar warnings are listed one by one; more are folded into one line. */
const maxWarningsListed = 3
/** As many similar rows that were skipped are listed one by one, since they have to be corrected; more are counted. */
const maxSkippedListed = 20

const weights = ['skipped', undefined, 'unused'] as const

/** The parts in which similar warnings differ: quotations, numbers and times. */
const variable = /“[^”]*”|\d+(?:[-:., ]\d+)*/g

/**
 * Formats warnings for a plan: what was skipped first, then what was assumed, then what was not used, each by line.
 * Unless `all` is set, similar warnings share a line with their number, and of similar skipped rows the first are listed.
 */
function formatWarnings(warnings: readonly ImportWarning[], all: boolean): string[] {
  const sorted = warnings.toSorted((a, b) => weights.indexOf(a.weight) - weights.indexOf(b.weight) || a.line - b.line)
  const groups = Map.groupBy(sorted, ({ message, weight }) => `${weight} ${message.replace(variable, '…')}`)
  return [...groups.values()].flatMap((group) => {
    const isSkipped = group[0]?.weight === 'skipped'
    if (!all && !isSkipped && group.length > maxWarningsListed) return [formatWarningGroup(group)]
    const listed = all || !isSkipped ? group : group.slice(0, maxSkippedListed)
    const rest = group.slice(listed.length)
    const lines = listed.map(({ line, message }) => `  line ${line}: ${message}`)
    return rest.length === 0 ? lines : [...lines, `${formatWarningGroup(rest)} (--all lists them)`]
  })
}

const formatWarningGroup = (group: readonly ImportWarning[]): string =>
  `  ${group.length.toLocaleString('en')} ${group.length === 1 ? 'row' : 'rows'}: ${commonMessage(group)}, first line ${group[0]?.line}`

/** Names shown without `--all` of what is not imported; any others are only counted. */
const maxShownUnused = 12

/** Formats what else a file has, to follow the plan: a paragraph, or `''` if there is nothing. */
export function formatUnused(unused: readonly UnusedValues[], { all }: PlanStyle): string {
  if (unused.length === 0) return ''
  const shown = all ? unused : unused.slice(0, maxShownUnused)
  const rest = unused.length - shown.length
  const names = shown.map(({ name, count, reason }) => {
    const counted = `${name} ${count.toLocaleString('en')}`
    return reason === undefined ? counted : `${counted} (${reason})`
  })
  const [before, between] = all ? ['\n  ', '\n  '] : [' ', ', ']
  const more = rest > 0 ? `, … and ${rest} more (--all lists them)` : ''
  return `\n\nNot imported, and how often it is in the file:${before}${names.join(between)}${more}`
}

/** The message of similar warnings, with an ellipsis for each part in which they differ, and without a full stop. */
function commonMessage(group: readonly ImportWarning[]): string {
  const parts = group.map(({ message }) => message.match(variable) ?? [])
  let at = -1
  return (group[0]?.message ?? '')
    .replace(variable, (part) => {
      at += 1
      if (parts.every((each) => each[at] === part)) return part
      return part.startsWith('“') ? '“…”' : '…'
    })
    .replace(/\.$/, '')
}
