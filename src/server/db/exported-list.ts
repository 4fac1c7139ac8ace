import type { Db } from './tables.ts'

/** Every list that leaves, as the organizer types it. */
export const exportedListNames = [
  'participants',
  'topics',
  'comments',
  'likes',
  'files',
  'events',
  'activities',
  'feedback',
] as const
export type ExportedListName = (typeof exportedListNames)[number]

/** A row that leaves: column names to texts and numbers. */
export type ExportedRow = Readonly<Record<string, string | number | null>>

/** A list that an operator can take out whole; each domain has its own. */
export interface ExportedList {
  /** What leaves, in its order. */
  readonly columns: readonly string[]
  /** The first `most` rows after this id, by id; neither deleted ones nor what hangs on them. */
  rowsAfter(db: Db, after: number, most: number): Promise<ExportedRow[]>
}

/** Who wrote a record and when: in the export of whatever people write. */
export const written = ['created_at', 'created_by', 'modified_at', 'modified_by'] as const

type RowsAfter<Column, Id> = (db: Db, columns: readonly Column[], after: Id, most: number) => Promise<ExportedRow[]>

export const exportedList = <Column extends string, Id extends number>(
  columns: readonly Column[],
  rowsAfter: RowsAfter<Column, Id>,
): ExportedList => ({
  columns,
  // The id is that of a row of the same list, or 0 to begin with.
  rowsAfter: (db, after, most) => rowsAfter(db, columns, after as Id, most),
})
