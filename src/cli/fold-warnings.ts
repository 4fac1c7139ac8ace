import type { ImportWarning } from '../server/domains/import/source.ts'

/** As many similar warnings are listed one by one; more are folded into one line. */
const maxListed = 3
/** As many similar rows that were skipped are listed one by one, since they have to be corrected; more are counted. */
const maxSkippedListed = 20

const weights = ['skipped', undefined, 'unused'] as const

/** The parts in which similar warnings differ: quotations, numbers and times. */
const variable = /“[^”]*”|\d+(?:[-:., ]\d+)*/g

/**
 * Formats warnings for a plan: what was skipped first, then what was assumed, then what was not used, each by line.
 * Unless `all` is set, similar warnings share a line with their number, and of similar skipped rows the first are listed.
 */
export function formatWarnings(warnings: readonly ImportWarning[], all: boolean): string[] {
  const sorted = warnings.toSorted((a, b) => weights.indexOf(a.weight) - weights.indexOf(b.weight) || a.line - b.line)
  const groups = Map.groupBy(sorted, ({ message, weight }) => `${weight} ${message.replace(variable, '…')}`)
  return [...groups.values()].flatMap((group) => {
    const isSkipped = group[0]?.weight === 'skipped'
    if (!all && !isSkipped && group.length > maxListed) return [formatGroup(group)]
    const listed = all || !isSkipped ? group : group.slice(0, maxSkippedListed)
    const rest = group.slice(listed.length)
    const lines = listed.map(({ line, message }) => `  line ${line}: ${message}`)
    return rest.length === 0 ? lines : [...lines, `${formatGroup(rest)} (--all lists them)`]
  })
}

const formatGroup = (group: readonly ImportWarning[]): string =>
  `  ${group.length.toLocaleString('en')} ${group.length === 1 ? 'row' : 'rows'}: ${commonMessage(group)}, first line ${group[0]?.line}`

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
