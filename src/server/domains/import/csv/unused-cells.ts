import { quote } from '../text/clean.ts'
import type { ColumnMap, HeaderSynonyms, Headings } from './csv-columns.ts'

/** Columns named in one warning; any others are only counted. */
const maxNamedColumns = 20

/**
 * Describes what an import ignores: columns that belong to no field, and cells of a field with an earlier non-empty
 * cell.
 * @param rows the rows below the header; empty columns are not reported
 * @param columns the columns found in the header
 * @returns one sentence per case; none if everything is used
 */
export function describeUnusedCells<Field extends string>(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  columns: ColumnMap<Field>,
  headings: Headings<Field>,
): string[] {
  const used = new Set([...columns.values()].flat())
  const filled = filledColumns(rows)
  const unused = header.flatMap((heading, at) => {
    if (used.has(at) || !filled.has(at)) return []
    const name = heading ? quote(heading) : `column ${at + 1} (no heading)`
    const reason = headings.whyUnused(heading, header, columns)
    return [{ text: reason === undefined ? name : `${name} (${reason})`, isRival: reason !== undefined }]
  })
  // Of a wide file only some are named: those that could have been used come first.
  const named =
    unused.length > maxNamedColumns ? unused.toSorted((a, b) => Number(b.isRival) - Number(a.isRival)) : unused
  const names = named.map(({ text }) => text)
  return [
    ...(names.length > 0 ? [listUnused(names)] : []),
    ...describeIgnoredCells(header, rows, columns, headings.synonyms),
  ]
}

/** Goes row by row: checking every column in every row would take minutes for a hostile file. */
function filledColumns(rows: readonly (readonly string[])[]): Set<number> {
  const filled = new Set<number>()
  for (const cells of rows)
    for (let at = 0; at < cells.length; at++) {
      if (isFilled(cells, at)) filled.add(at)
    }
  return filled
}

function listUnused(names: readonly string[]): string {
  const more = names.length - maxNamedColumns
  return `Columns not used: ${names.slice(0, maxNamedColumns).join(', ')}${more > 0 ? `, and ${more} more` : ''}.`
}

/** One sentence for each field with equal or numbered columns of which a non-empty cell is ignored. */
const describeIgnoredCells = <Field extends string>(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  columns: ColumnMap<Field>,
  synonyms: HeaderSynonyms<Field>,
): string[] =>
  synonyms.flatMap(([field, , multiple]) => {
    const all = multiple ? [] : (columns.get(field) ?? [])
    const hasIgnored = rows.some((cells) => all.filter((at) => isFilled(cells, at)).length > 1)
    const names = all.map((at) => quote(header[at] ?? '')).join(', ')
    return hasIgnored ? [`Columns ${names}: only the first non-empty cell of a row is used.`] : []
  })

const isFilled = (cells: readonly string[], at: number): boolean => (cells[at] ?? '') !== ''
