import { quote } from './clean.ts'
import type { ColumnMap, HeaderSynonyms } from './csv-columns.ts'
import { normalizeHeader, stripNumber } from './normalize-header.ts'

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
  synonyms: HeaderSynonyms<Field>,
): string[] {
  const used = new Set([...columns.values()].flat())
  const filled = filledColumns(rows)
  const unused = header.flatMap((heading, at) => {
    if (used.has(at) || !filled.has(at)) return []
    const name = heading ? quote(heading) : `column ${at + 1} (no heading)`
    const other = columnUsedInstead(heading, columns, synonyms)
    return other === undefined ? [name] : [`${name} (${quote(header[other] ?? '')} is used instead)`]
  })
  return [...(unused.length > 0 ? [listUnused(unused)] : []), ...describeIgnoredCells(header, rows, columns, synonyms)]
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

/** The column that is used for the field this heading could also mean. */
function columnUsedInstead<Field extends string>(
  heading: string,
  columns: ColumnMap<Field>,
  synonyms: HeaderSynonyms<Field>,
): number | undefined {
  const plain = stripNumber(normalizeHeader(heading))
  const field = synonyms.find(([field, names]) => columns.has(field) && names.includes(plain))?.[0]
  return field === undefined ? undefined : columns.get(field)?.[0]
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
