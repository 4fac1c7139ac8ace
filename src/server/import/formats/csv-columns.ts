/**
 * The headers recognised for each field, the likeliest first, normalised as by {@link normaliseHeader}. Earlier fields
 * claim their columns first. A `multiple` field uses all of its columns, any other the first non-empty one.
 */
export type HeaderSynonyms<Field extends string> = readonly (readonly [Field, readonly string[], 'multiple'?])[]

/**
 * The column indexes of each field found in the header; several if their headings are equal or numbered (Speaker 1,
 * Speaker 2).
 */
export type ColumnMap<Field extends string> = ReadonlyMap<Field, readonly number[]>

// Longer or wider rows are data, not headers. Without these limits a hostile file would take minutes.
const maxHeaderLength = 100
const maxColumns = 500

/**
 * Normalises a header: case, accents, camelCase, punctuation and hints in brackets are ignored.
 * `startsAt`, `Starts at` and `STARTS_AT (local)` all become `starts at`.
 */
export const normaliseHeader = (header: string): string =>
  header
    .slice(0, maxHeaderLength)
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .replace(/\([^)]*\)|\[[^\]]*\]/g, ' ')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Removes a trailing number from a normalised header. */
export const stripNumber = (header: string): string => header.replace(/ ?\d{1,2}$/, '')

/**
 * Finds the columns of a header row. Each field takes its likeliest synonym that is present, and a column belongs to only
 * one field: if there is a `Title` column, `Session` is not the title.
 */
export function findColumns<Field extends string>(
  header: readonly string[],
  synonyms: HeaderSynonyms<Field>,
): ColumnMap<Field> {
  const columns = new Map<Field, number[]>()
  const taken = new Set<number>()
  const headings = header.slice(0, maxColumns).map(normaliseHeader)
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
  return columns
}
