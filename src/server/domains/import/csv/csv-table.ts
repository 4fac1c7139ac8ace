import { CsvError, parse } from 'csv-parse/sync'
import { unguardFormulas } from '../../export/formula-guard.ts'
import type { ImportWarning, UnusedValues } from '../source.ts'
import { type ColumnMap, filledCells, type Headings } from './csv-columns.ts'
import { describeIgnoredCells, listUnusedColumns } from './unused-cells.ts'

export interface CsvRow<Field extends string> {
  /** 1-based line on which the row starts. */
  line: number
  /** Whether the table has a column for the field. */
  has(field: Field): boolean
  /** The trimmed cell of a field; `''` if the column or cell is missing. */
  get(field: Field): string
  /** Every cell of the row, in order. */
  cells: readonly string[]
  /** The non-empty cells of a field, which may have several numbered columns (Speaker 1, Speaker 2). */
  all(field: Field): string[]
}

export interface CsvTable<Field extends string> {
  headerLine: number
  /** The header cells as they appear in the file. */
  header: string[]
  columns: ColumnMap<Field>
  rows: CsvRow<Field>[]
  /** Rows that do not fit the columns, and cells that are ignored. */
  warnings: ImportWarning[]
  /** The columns that are not used. */
  unused: UnusedValues[]
}

/** The header is among the first rows: some spreadsheets have a title, and templates their instructions above it. */
const maxHeaderRow = 30
const delimiters = [',', ';', '\t', '|']

/**
 * Takes the place of a line break within a cell of a workbook, so that each line is a row, until the line is split into cells.
 * No text has it: it is for internal use (Unicode, 23.7).
 */
export const lineSeparator = '\uFDD0'

/** A row of cells, with the 1-based line on which it starts. */
export interface Line {
  line: number
  cells: string[]
}

/** Splits a text into rows, including empty ones, up to a quote that is never closed (line `unclosedAt`). */
function splitRows(text: string, delimiter: string, to?: number): { lines: Line[]; unclosedAt?: number } {
  const lines: Line[] = []
  let line = 1
  try {
    parse(text, {
      delimiter,
      record_delimiter: '\n',
      ...(to === undefined ? {} : { to }),
      relax_column_count: true,
      // A quote within an unquoted cell (a 15" screen) is an ordinary character.
      relax_quotes: true,
      on_record: (cells, { lines: ended }) => {
        lines.push({ line, cells: cells.map((cell) => unguardFormulas(cell.replaceAll(lineSeparator, '\n').trim())) })
        line = ended + 1
        return null
      },
    })
    return { lines }
  } catch (error) {
    if (error instanceof CsvError) return { lines, unclosedAt: line }
    throw error
  }
}

/**
 * Reads a table with a header row. The delimiter may be a comma, semicolon, tab or bar; the one that yields the header
 * with the most fields is used.
 *
 * @param minFields how many fields a row must name to be the header
 * @returns `undefined` if there is no header; never throws
 */
export function readTable<Field extends string>(
  text: string,
  headings: Headings<Field>,
  minFields: number,
): CsvTable<Field> | undefined {
  // Excel may write a first line `sep=;`. It is blanked rather than removed, to keep the line numbers.
  const hint = /^sep=(.)(?=[\r\n])/i.exec(text)?.[1]
  const body = (hint ? text.slice(5) : text).replace(/\r\n?/g, '\n')
  let best: { delimiter: string; index: number; columns: ColumnMap<Field> } | undefined
  for (const delimiter of hint ? [hint] : delimiters) {
    splitRows(body, delimiter, maxHeaderRow).lines.forEach(({ cells }, index) => {
      const columns = headings.find(cells)
      if (columns.size >= minFields && columns.size > (best?.columns.size ?? 0)) best = { delimiter, index, columns }
    })
  }
  return best && toTable(splitRows(body, best.delimiter), best.index, best.columns, headings)
}

/** Makes a table of rows that are already split, the header first. @returns as `readTable` */
export function tableOf<Field extends string>(
  lines: readonly Line[],
  headings: Headings<Field>,
  minFields: number,
): CsvTable<Field> | undefined {
  const columns = headings.find(lines[0]?.cells ?? [])
  return columns.size < minFields ? undefined : toTable({ lines: [...lines] }, 0, columns, headings)
}

function toTable<Field extends string>(
  { lines, unclosedAt }: ReturnType<typeof splitRows>,
  index: number,
  columns: ColumnMap<Field>,
  headings: Headings<Field>,
): CsvTable<Field> {
  const warnings: ImportWarning[] = []
  const { line: headerLine, cells: header } = lines[index] ?? { line: 1, cells: [] }
  const data = lines.slice(index + 1)
  const rows = data.flatMap(({ line, cells }) => {
    if (cells.every((cell) => cell === '')) return []
    if (cells.slice(header.length).some((cell) => cell !== '')) {
      const message = `The row has ${cells.length} cells but the header has ${header.length}; row skipped. Put quotes around a cell that contains the separator.`
      warnings.push({ line, message, weight: 'skipped' })
      return []
    }
    const all = (field: Field) => filledCells(cells, columns.get(field) ?? [])
    return [{ line, cells, all, has: (field: Field) => columns.has(field), get: (field: Field) => all(field)[0] ?? '' }]
  })
  if (unclosedAt !== undefined) {
    const message = 'A quotation mark in this row is never closed; this row and everything after it were skipped.'
    warnings.push({ line: unclosedAt, message, weight: 'skipped' })
  }
  const cells = data.map((row) => row.cells)
  for (const message of describeIgnoredCells(header, cells, columns, headings.synonyms))
    warnings.push({ line: headerLine, message, weight: 'unused' })
  const unused = listUnusedColumns(header, cells, columns, headings)
  return { headerLine, header, columns, rows, warnings, unused }
}

/** Whether a cell of a spreadsheet means no, in English, German, French or Spanish. */
export const isNo = (cell: string): boolean => /^(?:0|n|no|false|nein|non|falsch|faux|falso)$/i.test(cell)

/** Whether it means yes. */
export const isYes = (cell: string): boolean => /^(?:1|x|y|yes|true|ja|oui|wahr|vrai|si|sí|verdadero|ein)$/i.test(cell)
