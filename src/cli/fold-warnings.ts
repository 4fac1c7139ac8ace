import type { ImportWarning } from '../server/import/source.ts'

/** As many similar warnings are listed one by one; more are folded into one line. */
const maxListed = 3

const weights = ['skipped', undefined, 'unused'] as const

/** The parts in which similar warnings differ: quotations, numbers and times. */
const variable = /“[^”]*”|\d+(?:[-:., ]\d+)*/g

/**
 * Formats warnings for a plan: what was skipped first, then what was assumed, then what was not used, each by line.
 * Similar warnings share a line with their number, unless `all` is set.
 */
export function formatWarnings(warnings: readonly ImportWarning[], all: boolean): string[] {
  const sorted = warnings.toSorted((a, b) => weights.indexOf(a.weight) - weights.indexOf(b.weight) || a.line - b.line)
  const groups = Map.groupBy(sorted, ({ message, weight }) => `${weight} ${message.replace(variable, '…')}`)
  const lists = [...groups.values()].flatMap((group) =>
    all || group.length <= maxListed ? group.map((warning) => [warning]) : [group],
  )
  return lists.flatMap((group) => {
    const [first] = group
    if (!first) return []
    if (group.length === 1) return [`  line ${first.line}: ${first.message}`]
    return [`  ${group.length.toLocaleString('en')} rows: ${commonMessage(group)}, first line ${first.line}`]
  })
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
