import { quote } from '../../../core/clean-text.ts'
import { type HeadingRule, headingWords, matchesRule, normalizeHeader, stripNumber } from './headings.ts'

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

/** How the columns of one kind of table are recognized. */
export interface Headings<Field extends string> {
  synonyms: HeaderSynonyms<Field>
  /** Finds the columns of a header row. */
  find(header: readonly string[]): ColumnMap<Field>
  /** Why a column is not used although its heading means something; undefined if it means nothing. */
  whyUnused(heading: string, header: readonly string[], columns: ColumnMap<Field>): string | undefined
}

/** Headings that are recognized by a list, and others by rules. */
export const headingsOf = <Field extends string>(
  synonyms: HeaderSynonyms<Field>,
  rules: readonly HeadingRule<Field>[] = [],
): Headings<Field> => ({
  synonyms,
  find: (header) => matchColumns(header, synonyms, rules),
  whyUnused: (heading, header, columns) => {
    const plain = stripNumber(normalizeHeader(heading))
    const field = synonyms.find(([field, names]) => columns.has(field) && names.includes(plain))?.[0]
    return field && usedInstead(header, columns, field)
  },
})

/** Says which column is used for a field. */
export const usedInstead = <Field extends string>(
  header: readonly string[],
  columns: ColumnMap<Field>,
  field: Field,
): string => `${quote(header[columns.get(field)?.[0] ?? -1] ?? '')} is used instead`

/** Names one heading of each field, and where to find all others. */
export const acceptedHeadings = (synonyms: HeaderSynonyms<string>): string => {
  const names = synonyms.flatMap(([, [name = '']]) => name.charAt(0).toUpperCase() + name.slice(1))
  return `Accepted headings: ${names.join(', ')}, and many others; docs/headings.md lists them.`
}

/**
 * The non-empty cells of a row in these columns.
 * @param columns in their order: of many equal ones, a short row has only the first
 */
export function filledCells(cells: readonly string[], columns: readonly number[]): string[] {
  const filled: string[] = []
  for (const at of columns) {
    if (at >= cells.length) break
    const cell = cells[at]
    if (cell) filled.push(cell)
  }
  return filled
}

// Wider rows are data, not headers. Without this limit a hostile file would take minutes.
export const maxColumns = 500

/**
 * Each field takes its likeliest synonym that is present, and a column belongs to only one field: if there is a `Title`
 * column, `Session` is not the title. A field without a synonym takes the first of the other columns that a rule
 * recognizes.
 */
export function matchColumns<Field extends string>(
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
