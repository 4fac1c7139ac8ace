/**
 * Fields with the headers under which people keep them, the likeliest first, written as {@link plainHeader} has them.
 * The order of the fields is the order in which they choose. One with `several` takes something from each of its columns,
 * any other from the first that is filled.
 */
export type Synonyms<Field extends string> = readonly (readonly [Field, readonly string[], 'several'?])[]

/**
 * The columns of each field that a header has; several where they have the same heading or are numbered (Speaker 1,
 * Speaker 2).
 */
export type ColumnMap<Field extends string> = ReadonlyMap<Field, readonly number[]>

// What is longer or further right is data and no header; without a bound, hostile files would cost minutes.
const maxHeader = 100
const maxColumns = 500

/**
 * A header without what people vary: case, accents, camelCase, punctuation and hints in brackets.
 * `startsAt`, `Starts at` and `STARTS_AT (local)` are all `starts at`.
 */
export const plainHeader = (header: string): string =>
  header
    .slice(0, maxHeader)
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .replace(/\([^)]*\)|\[[^\]]*\]/g, ' ')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** A plain header without the number at its end. */
export const unnumbered = (plain: string): string => plain.replace(/ ?\d{1,2}$/, '')

/**
 * Finds the columns of a header row. Each field takes its likeliest synonym that is there, and no column serves two:
 * with a `Title` column, `Session` is not the title any more.
 */
export function findColumns<Field extends string>(
  header: readonly string[],
  synonyms: Synonyms<Field>,
): ColumnMap<Field> {
  const columns = new Map<Field, number[]>()
  const taken = new Set<number>()
  const plain = header.slice(0, maxColumns).map(plainHeader)
  const bare = plain.map(unnumbered)
  for (const [field, names] of synonyms) {
    for (const name of names) {
      const found = plain.flatMap((each, index) =>
        !taken.has(index) && (each === name || bare[index] === name) ? [index] : [],
      )
      if (found.length === 0) continue
      columns.set(field, found)
      for (const index of found) taken.add(index)
      break
    }
  }
  return columns
}
