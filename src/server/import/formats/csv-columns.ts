import { type HeadingRule, headingWords, matchesRule } from './heading-rules.ts'
import { normalizeHeader, stripNumber } from './normalize-header.ts'

/**
 * The headers recognized for each field, the likeliest first, normalized as by `normalizeHeader`. Earlier fields
 * claim their columns first. A `multiple` field uses all of its columns, any other the first non-empty one.
 */
export type HeaderSynonyms<Field extends string> = readonly (readonly [Field, readonly string[], 'multiple'?])[]

/**
 * The column indexes of each field found in the header; several if their headings are equal or numbered (Speaker 1,
 * Speaker 2).
 */
export type ColumnMap<Field extends string> = ReadonlyMap<Field, readonly number[]>

// Wider rows are data, not headers. Without this limit a hostile file would take minutes.
const maxColumns = 500

/**
 * Finds the columns of a header row. Each field takes its likeliest synonym that is present, and a column belongs to
 * only one field: if there is a `Title` column, `Session` is not the title. A field without a synonym takes the first
 * of the other columns that a rule recognizes.
 */
export function findColumns<Field extends string>(
  header: readonly string[],
  synonyms: HeaderSynonyms<Field>,
  rules: readonly HeadingRule<Field>[],
): ColumnMap<Field> {
  const columns = new Map<Field, number[]>()
  const taken = new Set<number>()
  const headings = header.slice(0, maxColumns).map(normalizeHeader)
  const unnumbered = headings.map(stripNumber)
  for (const [field, names] of synonyms) {
    for (const name of names) {
      const found = headings.flatMap((heading, index) =>
        !taken.has(index) && (heading === name || unnumbered[index] === name) ? [index] : [],
      )
      if (found.length === 0) continue
      columns.set(field, found)
      for (const index of found) taken.add(index)
      break
    }
  }
  const readings = header.slice(0, maxColumns).map(headingWords)
  for (const rule of rules) {
    if (columns.has(rule.field)) continue
    const free = readings.flatMap((reading, index) =>
      !taken.has(index) && reading.some((words) => matchesRule(words, rule)) ? [index] : [],
    )
    // With several, those that differ from the first only in their numbers.
    const wordsAt = (index: number) => readings[index]?.[0]?.join(' ')
    const found = free.filter((index) => wordsAt(index) === wordsAt(free[0] ?? -1))
    if (found.length > 0) columns.set(rule.field, found)
    for (const index of found) taken.add(index)
  }
  return columns
}
