import type { TestApp } from '../../test/app.ts'
import { exportRows } from '../server/domains/export/export.ts'
import type { ExportedListName } from '../server/domains/export/list-names.ts'
import type { ExportedRow } from '../server/storage/db/exported-list.ts'

export const exportAll = (t: TestApp, name: ExportedListName): Promise<ExportedRow[]> =>
  Array.fromAsync(exportRows(t.ctx, name))

export const idsOf = async (t: TestApp, name: ExportedListName) => (await exportAll(t, name)).map(({ id }) => id)
