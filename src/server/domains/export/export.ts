import type { Context } from '../../context.ts'
import type { ExportedList, ExportedRow } from '../../storage/db/exported-list.ts'
import { feedbackExport } from '../feedback/export.ts'
import { filesExport } from '../files/export.ts'
import { newsfeedExport } from '../newsfeed/export.ts'
import { participantsExport } from '../participants/export.ts'
import { programExport } from '../program/export.ts'
import { starsExport } from '../stars/export.ts'
import type { ExportedListName } from './list-names.ts'

/** Every list by its name. */
export const exportedLists: Record<ExportedListName, ExportedList> = {
  ...participantsExport,
  ...newsfeedExport,
  ...filesExport,
  ...programExport,
  ...starsExport,
  ...feedbackExport,
}

const batchSize = 1_000

/** Reads a whole list, ordered by id, in batches of 1,000 rows. */
export async function* exportRows(ctx: Context, name: ExportedListName): AsyncGenerator<ExportedRow> {
  let after = 0
  for (;;) {
    const rows = await exportedLists[name].rowsAfter(ctx.database.read, after, batchSize)
    for (const row of rows) yield formatTimestamps(row, ctx)
    const last = rows.at(-1)?.id
    if (rows.length < batchSize || typeof last !== 'number') return
    after = last
  }
}

const formatTimestamps = (row: ExportedRow, { timestamp }: Context): ExportedRow =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) =>
      column.endsWith('_at') && typeof value === 'number' ? [column, timestamp(value)] : [column, value],
    ),
  )
