import { type ColumnChoice, shownColumns } from './columns.ts'
import type { Db } from './tables.ts'

/** A row of an export: column names to texts and numbers. */
export type ExportedRow = Readonly<Record<string, string | number | null>>

/** A list that an operator can export. */
export interface ExportedList {
  /** The exported columns, in order. */
  readonly columns: readonly string[]
  /** The first `limit` rows after this id, ordered by id, without deleted rows and rows that belong to deleted ones. */
  rowsAfter(db: Db, after: number, limit: number): Promise<ExportedRow[]>
}

/**
 * The audit columns; a list may withhold more of them. Those of deletion are withheld, as deleted records are not
 * exported.
 */
export const auditColumns = {
  created_at: 'shown',
  created_by: 'shown',
  modified_at: 'shown',
  modified_by: 'shown',
  is_deleted: 'withheld',
  deleted_at: 'withheld',
  deleted_by: 'withheld',
} as const

type RowsAfter<Column, Id> = (db: Db, columns: readonly Column[], after: Id, limit: number) => Promise<ExportedRow[]>

export const exportedList = <Column extends string, Id extends number>(
  choice: ColumnChoice<NoInfer<Column>>,
  rowsAfter: RowsAfter<Column, Id>,
): ExportedList => {
  const columns = shownColumns<Column>(choice)
  return {
    columns,
    // The id is that of a row of the same list, or 0 for the first batch.
    rowsAfter: (db, after, limit) => rowsAfter(db, columns, after as Id, limit),
  }
}
