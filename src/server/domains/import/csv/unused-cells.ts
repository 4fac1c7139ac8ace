import { quote } from '../../../core/clean-text.ts'
import type { UnusedValues } from '../source.ts'
import { mostFrequentFirst } from '../text/unused-values.ts'
import { type ColumnMap, filledCells, type HeaderSynonyms, type Headings } from './csv-columns.ts'

/**
 * Lists the columns that belong to no field.
 * @param rows the rows below the header; empty columns are not listed
 * @param columns the columns found in the header
 */
export function listUnusedColumns<Field extends string>(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  columns: ColumnMap<Field>,
  headings: Headings<Field>,
): UnusedValues[] {
  const used = new Set([...columns.values()].flat())
  const counts = countFilled(rows)
  const unused = header.flatMap((heading, at): UnusedValues[] => {
    const count = counts.get(at) ?? 0
    if (used.has(at) || count === 0) return []
    const name = heading ? quote(heading) : `column ${at + 1} (no heading)`
    return [{ name, count, reason: headings.whyUnused(heading, header, columns) }]
  })
  return mostFrequentFirst(unused)
}

/**
 * Counts the non-empty cells of each column. Goes row by row: checking every column in every row would take minutes for
 * a hostile file.
 */
function countFilled(rows: readonly (readonly string[])[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const cells of rows)
    for (let at = 0; at < cells.length; at++) {
      if (cells[at]) counts.set(at, (counts.get(at) ?? 0) + 1)
    }
  return counts
}

/** One sentence for each field with equal or numbered columns of which a non-empty cell is ignored. */
export const describeIgnoredCells = <Field extends string>(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  columns: ColumnMap<Field>,
  synonyms: HeaderSynonyms<Field>,
): string[] =>
  synonyms.flatMap(([field, , multiple]) => {
    const all = multiple ? [] : (columns.get(field) ?? [])
    const hasIgnored = rows.some((cells) => filledCells(cells, all).length > 1)
    const names = all.map((at) => quote(header[at] ?? '')).join(', ')
    return hasIgnored ? [`Columns ${names}: only the first non-empty cell of a row is used.`] : []
  })
