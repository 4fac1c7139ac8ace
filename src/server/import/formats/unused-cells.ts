import { quoted } from './clean.ts'
import { type ColumnMap, plainHeader, type Synonyms, unnumbered } from './csv-columns.ts'

/** As many columns are named in a sentence; the rest is counted. */
const namedColumns = 20

/**
 * Says what of a table is not taken: columns that serve no field, and cells of a field that has an earlier one.
 * @param rows below the header; a column without a filled cell loses nothing
 * @param columns those that were found in the header
 * @returns sentences, none where everything is taken
 */
export function unusedCells<Field extends string>(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  columns: ColumnMap<Field>,
  synonyms: Synonyms<Field>,
): string[] {
  const used = new Set([...columns.values()].flat())
  const filled = filledColumns(rows)
  const unused = header.flatMap((heading, at) => {
    if (used.has(at) || !filled.has(at)) return []
    const name = heading ? quoted(heading) : `column ${at + 1}, which has no heading`
    const other = columnInstead(heading, columns, synonyms)
    return other === undefined ? [name] : [`${name} (${quoted(header[other] ?? '')} is used instead)`]
  })
  return [...(unused.length > 0 ? [notUsed(unused)] : []), ...lostCells(header, rows, columns, synonyms)]
}

/** Found row by row: to ask every row for every column would take minutes with a hostile file. */
function filledColumns(rows: readonly (readonly string[])[]): Set<number> {
  const filled = new Set<number>()
  for (const cells of rows)
    for (let at = 0; at < cells.length; at++) {
      if (isFilled(cells, at)) filled.add(at)
    }
  return filled
}

function notUsed(names: readonly string[]): string {
  const more = names.length - namedColumns
  return `Columns not used: ${names.slice(0, namedColumns).join(', ')}${more > 0 ? `, and ${more} more` : ''}.`
}

/** The column that holds what this heading would mean, too. */
function columnInstead<Field extends string>(
  heading: string,
  columns: ColumnMap<Field>,
  synonyms: Synonyms<Field>,
): number | undefined {
  const plain = unnumbered(plainHeader(heading))
  const field = synonyms.find(([field, names]) => columns.has(field) && names.includes(plain))?.[0]
  return field === undefined ? undefined : columns.get(field)?.[0]
}

/** Of columns with the same or numbered headings, those of which a cell is lost because an earlier one is filled. */
const lostCells = <Field extends string>(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  columns: ColumnMap<Field>,
  synonyms: Synonyms<Field>,
): string[] =>
  synonyms.flatMap(([field, , several]) => {
    const all = several ? [] : (columns.get(field) ?? [])
    const isLost = rows.some((cells) => all.filter((at) => isFilled(cells, at)).length > 1)
    const names = all.map((at) => quoted(header[at] ?? '')).join(', ')
    return isLost ? [`Of the columns ${names} the first that is filled is used.`] : []
  })

const isFilled = (cells: readonly string[], at: number): boolean => (cells[at] ?? '') !== ''
