import { quote } from '../../../core/clean-text.ts'
import type { UnusedValues } from '../source.ts'

/** A value of a file, whatever its syntax: a text or number, or one with parts. */
export interface FileValue {
  /** Whether the import has read its text, or looked for a part of it. */
  isRead: boolean
  /** Whether it has something itself, beside its parts. */
  isFilled: boolean
  /** Its parts by name; `''` for those without one, such as the elements of a list. */
  parts(): Iterable<readonly [name: string, part: FileValue]>
}

/** What was met under one name, in all records of a kind together. */
interface Tally {
  /** Values that are not empty. */
  filled: number
  /** Those of them that have a text of their own, which was not read. */
  unread: number
  /** Whether anything was read, here or in a part. */
  isRead: boolean
  parts: Map<string, Tally>
}

const newTally = (): Tally => ({ filled: 0, unread: 0, isRead: false, parts: new Map() })

/** Deeper than the values of any format; what is below counts as one. */
const maxDepth = 100

/**
 * Lists the values of a file that were not read. One into which the import has not looked in any record counts as a
 * whole: the links of a session, not their titles and addresses.
 */
export function listUnused(root: FileValue): UnusedValues[] {
  const tally = newTally()
  count(root, tally, 0)
  const counts = new Map<string, number>()
  const visit = ({ parts }: Tally, owner: string) => {
    for (const [name, part] of parts) {
      const label = labelOf(owner, name)
      const found = part.isRead ? part.unread : part.filled
      if (found > 0) counts.set(label, (counts.get(label) ?? 0) + found)
      if (part.isRead) visit(part, name)
    }
  }
  visit(tally, '')
  return [...counts].map(([name, count]) => ({ name, count }))
}

function count(value: FileValue, tally: Tally, depth: number): void {
  let isFilled = value.isFilled || depth === maxDepth
  if (value.isRead) tally.isRead = true
  else if (isFilled) tally.unread += 1
  for (const [name, part] of depth < maxDepth ? value.parts() : []) {
    if (name === '') {
      count(part, tally, depth + 1)
      continue
    }
    const ofName = tally.parts.get(name) ?? newTally()
    tally.parts.set(name, ofName)
    const { filled } = ofName
    count(part, ofName, depth + 1)
    isFilled ||= ofName.filled > filled
    tally.isRead ||= ofName.isRead
  }
  if (isFilled) tally.filled += 1
}

const maxNameLength = 60

/** Names a member with what it belongs to, `event.logo`. */
function labelOf(owner: string, member: string): string {
  const label = [owner, member].flatMap((name) => (name === '' ? [] : name.slice(0, maxNameLength))).join('.')
  return /^[\w.:@$-]{1,60}$/.test(label) ? label : quote(label)
}

/** More names than any real file has. */
const maxNames = 500

/** Sorts what is not used: first what has a reason, then the most frequent. Of very many names the last are added up. */
export function mostFrequentFirst(unused: readonly UnusedValues[]): UnusedValues[] {
  const sorted = unused.toSorted(
    (a, b) => Number(b.reason !== undefined) - Number(a.reason !== undefined) || b.count - a.count,
  )
  const others = sorted.splice(maxNames)
  const sum = others.reduce((all, { count }) => all + count, 0)
  return others.length === 0 ? sorted : [...sorted, { name: `${others.length} other names`, count: sum }]
}
