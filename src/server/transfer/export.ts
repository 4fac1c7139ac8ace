import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Db, Row, Tables } from '../db/tables.ts'

/** A list that can be exported: its table, and the columns that leave, in their order. */
interface ExportedList<T extends keyof Tables> {
  table: T
  columns: readonly (keyof Row<T> & string)[]
}

const list = <T extends keyof Tables>(table: T, columns: ExportedList<T>['columns']) => ({ table, columns })

const written = ['created_at', 'created_by', 'modified_at', 'modified_by'] as const

/** Every list, by the name that the organizer types. Deleted records are left out. */
export const exportedLists = {
  participants: list('participant', [
    'id',
    'employee_no',
    'first_name',
    'last_name',
    'email',
    'designation',
    'mobile_no',
    'gender',
    'photo',
    ...written,
  ]),
  topics: list('topic', ['id', 'header', 'body', ...written]),
  comments: list('comment', ['id', 'topic_id', 'comment', ...written]),
  likes: list('topic_like', ['id', 'topic_id', 'participant_id', 'created_at']),
  files: list('file', [
    'id',
    'topic_id',
    'comment_id',
    'name',
    'file_type',
    'size',
    'sha256',
    'link',
    'created_at',
    'created_by',
  ]),
  events: list('event', [
    'id',
    'source',
    'source_key',
    'title',
    'date_from',
    'date_to',
    'program_date',
    'location_name',
    'location_address',
    'venue',
    'speaker',
    'position',
    'company',
    'description',
    'details',
    'is_cancelled',
    ...written,
  ]),
  feedback: list('feedback', [
    'id',
    'participant_id',
    'program_id',
    'quality',
    'rating',
    'relevance',
    'expectation',
    'comments',
    'created_at',
  ]),
} as const
export type ExportedListName = keyof typeof exportedLists

/** One exported row: column names to texts and numbers, with moments printed as timestamps. */
export type ExportedRow = Record<string, string | number | null>

const rowsAtOnce = 1_000

/** Reads a list in the order of ids, a thousand rows at a time, however long it is. */
export async function* exportRows(ctx: Context, name: ExportedListName): AsyncGenerator<ExportedRow> {
  const { table, columns } = exportedLists[name]
  let after = 0
  for (;;) {
    const rows = await rowsAfter(ctx.database.read, table, columns, after)
    for (const row of rows) yield printed(row, ctx)
    const last = rows.at(-1)?.id
    if (rows.length < rowsAtOnce || typeof last !== 'number') return
    after = last
  }
}

async function rowsAfter(db: Db, table: string, columns: readonly string[], after: number): Promise<ExportedRow[]> {
  const { rows } = await sql<ExportedRow>`
    select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table)}
    where is_deleted = 0 and id > ${after} order by id limit ${rowsAtOnce}
  `.execute(db)
  return rows
}

const printed = (row: ExportedRow, { timestamp }: Context): ExportedRow =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) =>
      column.endsWith('_at') && typeof value === 'number' ? [column, timestamp(value)] : [column, value],
    ),
  )
