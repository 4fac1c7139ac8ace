import { inChunks, rowsPerInsert } from '../../../storage/db/in-chunks.ts'
import type { Db, NewRow, Row } from '../../../storage/db/tables.ts'

export type ImportRun = Row<'import_run'>
export type ImportRecord = Row<'import_record'>

export async function insertRun(db: Db, run: NewRow<'import_run'>): Promise<number> {
  const { id } = await db.insertInto('import_run').values(run).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function insertRecords(db: Db, records: readonly NewRow<'import_record'>[]): Promise<void> {
  const size = rowsPerInsert(Object.keys(records[0] ?? {}).length)
  for (let start = 0; start < records.length; start += size)
    await db
      .insertInto('import_record')
      .values(records.slice(start, start + size))
      .execute()
}

/** All imports, newest first, each with the number of its records. */
export async function listRuns(db: Db): Promise<(ImportRun & { records: number })[]> {
  return db
    .selectFrom('import_run')
    .leftJoin('import_record', 'import_record.import_id', 'import_run.id')
    .selectAll('import_run')
    .select(({ fn }) => fn.count<number>('import_record.id').as('records'))
    .groupBy('import_run.id')
    .orderBy('import_run.id', 'desc')
    .execute()
}

export const findRun = (db: Db, id: number): Promise<ImportRun | undefined> =>
  db.selectFrom('import_run').selectAll().where('id', '=', id).executeTakeFirst()

export async function listRecords(db: Db, importId: number): Promise<ImportRecord[]> {
  return db.selectFrom('import_record').selectAll().where('import_id', '=', importId).orderBy('id').execute()
}

/** The changes that imports have made to these records; not their creation. */
export const listRecordsOf = (db: Db, kind: string, recordIds: number[]) =>
  inChunks(recordIds, (ids) =>
    db
      .selectFrom('import_record')
      .select(['kind', 'before', 'after'])
      .where('kind', '=', kind)
      .where('record_id', 'in', ids)
      .where('before', '<>', '')
      .execute(),
  )

/** The changes that imports have made to records, by id; not their creation. */
export async function listRecordsAfter(db: Db, after: number, limit: number): Promise<ImportRecord[]> {
  const changed = db.selectFrom('import_record').selectAll().where('before', '<>', '')
  return changed.where('id', '>', after).orderBy('id').limit(limit).execute()
}

/** The records of a kind that imports have created and that were not undone, as they were then. */
export const listCreated = (db: Db, kind: string) =>
  db
    .selectFrom('import_record')
    .select(['record_id', 'after'])
    .where('kind', '=', kind)
    .where('before', '=', '')
    .execute()

/** The records of later imports that are among these. */
export const findLaterRecords = (db: Db, importId: number, kind: string, recordIds: number[]) =>
  inChunks(recordIds, (ids) =>
    db
      .selectFrom('import_record')
      .select(['import_id', 'record_id'])
      .where('import_id', '>', importId)
      .where('kind', '=', kind)
      .where('record_id', 'in', ids)
      .execute(),
  )

/** Marks an import as undone, and deletes the states of its records, which are needed no longer. */
export async function finishUndo(db: Db, importId: number, undone_at: number): Promise<void> {
  await db.deleteFrom('import_record').where('import_id', '=', importId).execute()
  await db.updateTable('import_run').set({ undone_at }).where('id', '=', importId).execute()
}
