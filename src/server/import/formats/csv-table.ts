import { CsvError, parse } from 'csv-parse/sync'
import { unguardFormulas } from '../../export/formula-guard.ts'
import type { Remark } from '../source.ts'
import { type ColumnMap, findColumns, type Synonyms } from './csv-columns.ts'
import { unusedCells } from './unused-cells.ts'

export interface CsvRow<Field extends string> {
  /** 1-based line at which the row starts. */
  line: number
  /** The cell of a field, trimmed; `''` when the column or the cell is missing. */
  get(field: Field): string
  /** The filled cells of a field that may have several numbered columns (Speaker 1, Speaker 2). */
  all(field: Field): string[]
}

export interface CsvTable<Field extends string> {
  headerLine: number
  /** The header as written. */
  header: string[]
  columns: ColumnMap<Field>
  rows: CsvRow<Field>[]
  /** Rows that cannot be told apart into columns, and columns of which nothing is taken. */
  problems: Remark[]
}

/** Rows in which to look for the header: some spreadsheets put a title or a date above it. */
const headerRows = 10
const delimiters = [',', ';', '\t', '|']

interface Line {
  line: number
  cells: string[]
}

/** The rows of a text, empty ones as well, up to where a quote opens that is never closed. */
function split(text: string, delimiter: string, to?: number): { lines: Line[]; unclosed?: number } {
  const lines: Line[] = []
  let line = 1
  try {
    parse(text, {
      delimiter,
      record_delimiter: '\n',
      ...(to === undefined ? {} : { to }),
      relax_column_count: true,
      // A quote in the middle of an unquoted cell (a 15" screen) is a character, not a mistake.
      relax_quotes: true,
      on_record: (cells, { lines: ended }) => {
        lines.push({ line, cells: cells.map((cell) => unguardFormulas(cell.trim())) })
        line = ended + 1
        return null
      },
    })
    return { lines }
  } catch (error) {
    if (error instanceof CsvError) return { lines, unclosed: line }
    throw error
  }
}

/**
 * Reads a table with a header row. Commas, semicolons, tabs or bars may part its cells: that which makes the best header
 * does.
 *
 * @param synonyms the fields and the headers under which people keep them
 * @param atLeast how many of the fields make a header
 * @returns `undefined` when there is no header; never throws
 */
export function readTable<Field extends string>(
  text: string,
  synonyms: Synonyms<Field>,
  atLeast: number,
): CsvTable<Field> | undefined {
  // Excel's own hint is a first line `sep=;`. It is emptied and not removed, so that line numbers stay.
  const hint = /^sep=(.)(?=[\r\n])/i.exec(text)?.[1]
  const body = (hint ? text.slice(5) : text).replace(/\r\n?/g, '\n')
  let best: { delimiter: string; index: number; columns: ColumnMap<Field> } | undefined
  for (const delimiter of hint ? [hint] : delimiters) {
    split(body, delimiter, headerRows).lines.forEach(({ cells }, index) => {
      const columns = findColumns(cells, synonyms)
      if (columns.size >= atLeast && columns.size > (best?.columns.size ?? 0)) best = { delimiter, index, columns }
    })
  }
  return best && toTable(split(body, best.delimiter), best.index, best.columns, synonyms)
}

function toTable<Field extends string>(
  { lines, unclosed }: ReturnType<typeof split>,
  index: number,
  columns: ColumnMap<Field>,
  synonyms: Synonyms<Field>,
): CsvTable<Field> {
  const problems: Remark[] = []
  const { line: headerLine, cells: header } = lines[index] ?? { line: 1, cells: [] }
  const data = lines.slice(index + 1)
  const rows = data.flatMap(({ line, cells }) => {
    if (cells.every((cell) => cell === '')) return []
    if (cells.slice(header.length).some((cell) => cell !== '')) {
      const reason = `The row has ${cells.length} cells and the header ${header.length}: a cell with a separator in it needs quotes around it. The row was left out.`
      problems.push({ line, reason })
      return []
    }
    const all = (field: Field) => (columns.get(field) ?? []).map((at) => cells[at] ?? '').filter((cell) => cell !== '')
    return [{ line, all, get: (field: Field) => all(field)[0] ?? '' }]
  })
  if (unclosed !== undefined) {
    const reason = 'A quote opens in this row and is never closed; the row and everything after it was left out.'
    problems.push({ line: unclosed, reason })
  }
  const unused = unusedCells(
    header,
    data.map(({ cells }) => cells),
    columns,
    synonyms,
  )
  problems.push(...unused.map((reason) => ({ line: headerLine, reason })))
  return { headerLine, header, columns, rows, problems }
}
