import { stripUnstorable } from '../../../core/clean-text.ts'
import { headingsOf } from './csv-columns.ts'
import { readTable } from './csv-table.ts'

/** A row of a list that `summit export` wrote. */
export interface ExportedTableRow<Column extends string> {
  line: number
  /** The cell, `''` if it is empty; `undefined` if the file does not have this column. */
  get(column: Column): string | undefined
}

/**
 * Reads a list that `summit export` wrote, as JSON or as CSV, which a spreadsheet may have saved with other separators
 * and fewer columns.
 * @param signs columns that no other file has under these names
 * @returns `undefined` if the file is something else
 */
export function readExportedTable<Column extends string>(
  text: string,
  columns: readonly Column[],
  signs: readonly Column[],
): ExportedTableRow<Column>[] | undefined {
  if (!signs.every((sign) => text.includes(sign))) return undefined
  const clean = stripUnstorable(text)
  if (/^\s*\[/.test(clean)) return readJsonRows(clean, signs)
  const table = readTable(
    clean,
    headingsOf(columns.map((column) => [column, [column.replaceAll('_', ' ')]] as const)),
    signs.length,
  )
  if (!table || !signs.every((sign) => table.header.includes(sign))) return undefined
  return table.rows.map((row) => ({
    line: row.line,
    get: (column) => (table.columns.has(column) ? row.get(column) : undefined),
  }))
}

/** An export has one row per line, below an opening bracket. */
function readJsonRows<Column extends string>(
  text: string,
  signs: readonly Column[],
): ExportedTableRow<Column>[] | undefined {
  const rows = parseArray(text)
  if (!rows?.every(isRecord) || !rows[0] || !signs.every((sign) => sign in (rows[0] ?? {}))) return undefined
  return rows.map((row, index) => ({
    line: index + 2,
    get: (column) => (column in row ? String(row[column] ?? '').trim() : undefined),
  }))
}

function parseArray(text: string): unknown[] | undefined {
  try {
    const rows: unknown = JSON.parse(text)
    return Array.isArray(rows) ? rows : undefined
  } catch {
    return undefined
  }
}

const isRecord = (row: unknown): row is Record<string, unknown> => typeof row === 'object' && row !== null
