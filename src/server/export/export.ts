import type { Context } from '../context.ts'
import type { ExportedList, ExportedListName, ExportedRow } from '../db/exported-list.ts'
import { feedbackExport } from '../feedback/export.ts'
import { filesExport } from '../files/export.ts'
import { newsfeedExport } from '../newsfeed/export.ts'
import { participantsExport } from '../participants/export.ts'
import { programExport } from '../program/export.ts'

/** Every list by its name. */
export const exportedLists: Record<ExportedListName, ExportedList> = {
  ...participantsExport,
  ...newsfeedExport,
  ...filesExport,
  ...programExport,
  ...feedbackExport,
}

const rowsAtOnce = 1_000

/** Reads a list in the order of ids, a thousand rows at a time, however long it is. */
export async function* exportRows(ctx: Context, name: ExportedListName): AsyncGenerator<ExportedRow> {
  let after = 0
  for (;;) {
    const rows = await exportedLists[name].rowsAfter(ctx.database.read, after, rowsAtOnce)
    for (const row of rows) yield printed(row, ctx)
    const last = rows.at(-1)?.id
    if (rows.length < rowsAtOnce || typeof last !== 'number') return
    after = last
  }
}

/** The row with its moments printed as timestamps. */
const printed = (row: ExportedRow, { timestamp }: Context): ExportedRow =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) =>
      column.endsWith('_at') && typeof value === 'number' ? [column, timestamp(value)] : [column, value],
    ),
  )
