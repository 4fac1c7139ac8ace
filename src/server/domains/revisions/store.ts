import type { EventId, SpeakerId } from '../../core/ids.ts'
import type { PageParams } from '../../core/paging.ts'
import { inChunks, insertChunks } from '../../storage/db/in-chunks.ts'
import type { Db, NewRow, Row } from '../../storage/db/tables.ts'

export type Revision = Row<'revision'>
export type RevisionRecord = Row<'revision_record'>

export async function insertRevision(db: Db, revision: NewRow<'revision'>): Promise<number> {
  const { id } = await db.insertInto('revision').values(revision).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function insertRecords(db: Db, records: readonly NewRow<'revision_record'>[]): Promise<void> {
  for (const some of insertChunks(records)) await db.insertInto('revision_record').values(some).execute()
}

/** A revision with the number of its records, and of participants among them. */
export type ListedRevision = Revision & { records: number; participants: number }

/** A page of all revisions, or of those of a kind, newest first. */
export async function listRevisions(
  db: Db,
  { offset, limit, kind }: PageParams & { kind?: string },
): Promise<ListedRevision[]> {
  const revisions = kind === undefined ? listed(db) : listed(db).where('kind', '=', kind)
  return withCounts(await revisions.orderBy('id', 'desc').limit(limit).offset(offset).execute())
}

/** A revision as it is listed; none if there is no such revision. */
export const findListed = async (db: Db, id: number): Promise<ListedRevision[]> =>
  withCounts(await listed(db).where('id', '=', id).execute())

const listed = (db: Db) =>
  db
    .selectFrom('revision')
    .selectAll()
    .select(({ selectFrom, fn }) => {
      const records = selectFrom('revision_record').whereRef('revision_id', '=', 'revision.id')
      const count = fn.countAll<number>()
      return [
        records.select(count.as('records')).as('records'),
        records.where('kind', '=', 'participant').select(count.as('participants')).as('participants'),
      ]
    })

/** Some engines count in texts, as a number of JavaScript might be too small. */
const withCounts = (
  rows: readonly (Revision & Record<'records' | 'participants', number | null>)[],
): ListedRevision[] =>
  rows.map((row) => ({ ...row, records: Number(row.records), participants: Number(row.participants) }))

/** A revision with what attendees read of it. */
export type ReleasedRevision = Pick<Revision, 'id' | 'at' | 'note' | 'notes' | 'undone_at'>

/** The revisions of which attendees read something, newest first. @param before their ids are lower */
export const listReleasesBefore = (db: Db, before: number, limit: number): Promise<ReleasedRevision[]> =>
  db
    .selectFrom('revision')
    .select(['id', 'at', 'note', 'notes', 'undone_at'])
    .where((where) => where.or([where('notes', '<>', '[]'), where('note', '<>', '')]))
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Whether a revision changed a record of this kind, and has not been undone. */
export async function hasRecordOf(db: Db, revisionId: number, kind: string): Promise<boolean> {
  const records = db.selectFrom('revision_record').select('id').where('revision_id', '=', revisionId)
  return (await records.where('kind', '=', kind).limit(1).execute()).length > 0
}

/** The newest revision that a command made. */
export const findNewestOf = (db: Db, command: string): Promise<Revision | undefined> =>
  db.selectFrom('revision').selectAll().where('command', '=', command).orderBy('id', 'desc').executeTakeFirst()

export const findRevision = (db: Db, id: number): Promise<Revision | undefined> =>
  db.selectFrom('revision').selectAll().where('id', '=', id).executeTakeFirst()

export async function listRecords(db: Db, revisionId: number): Promise<RevisionRecord[]> {
  return db.selectFrom('revision_record').selectAll().where('revision_id', '=', revisionId).orderBy('id').execute()
}

/** The records that any of these revisions has changed. */
export const listRecordsIn = (db: Db, revisionIds: readonly number[]) =>
  db
    .selectFrom('revision_record')
    .select(['revision_id', 'kind', 'record_id'])
    .where('revision_id', 'in', revisionIds)
    .execute()

/** The changes that revisions have made to these records; not their creation. */
export const listRecordsOf = (db: Db, kind: string, recordIds: number[]) =>
  inChunks(recordIds, (ids) =>
    db
      .selectFrom('revision_record')
      .select(['kind', 'before', 'after'])
      .where('kind', '=', kind)
      .where('record_id', 'in', ids)
      .where('before', '<>', '')
      .execute(),
  )

/** The changes that revisions have made to records, by id; not their creation. */
export async function listRecordsAfter(db: Db, after: number, limit: number): Promise<RevisionRecord[]> {
  const changed = db.selectFrom('revision_record').selectAll().where('before', '<>', '')
  return changed.where('id', '>', after).orderBy('id').limit(limit).execute()
}

/** The changes that revisions other than undos have made to events, by id; not their creation. */
export const listEventChangesAfter = (db: Db, after: number, limit: number): Promise<RevisionRecord[]> =>
  db
    .selectFrom('revision_record')
    .innerJoin('revision', 'revision.id', 'revision_record.revision_id')
    .selectAll('revision_record')
    .where('revision.kind', '<>', 'undo')
    .where('revision_record.kind', '=', 'event')
    .where('before', '<>', '')
    .where('revision_record.id', '>', after)
    .orderBy('revision_record.id')
    .limit(limit)
    .execute()

/** The records of a kind that revisions have created and that were not undone, as they were then. */
export const listCreated = (db: Db, kind: string) =>
  db
    .selectFrom('revision_record')
    .select(['record_id', 'after'])
    .where('kind', '=', kind)
    .where('before', '=', '')
    .execute()

/** The newest revision of each of these records; none for a record that no revision has changed. */
export async function findNewestRevisions(
  db: Db,
  kind: string,
  recordIds: readonly number[],
): Promise<Map<number, number>> {
  const rows = await inChunks([...recordIds], (ids) =>
    db
      .selectFrom('revision_record')
      .select(({ fn }) => ['record_id', fn.max<number>('revision_id').as('newest')])
      .where('kind', '=', kind)
      .where('record_id', 'in', ids)
      .groupBy('record_id')
      .execute(),
  )
  return new Map(rows.map(({ record_id, newest }) => [record_id, Number(newest)]))
}

/**
 * The events among these that organizers have changed since they were last imported. A publication changes nothing else, nor
 * does the undo of a change; pictures are of no import of a program.
 */
export async function findEditedSinceImport(db: Db, eventIds: readonly EventId[]): Promise<Set<EventId>> {
  const rows = await inChunks([...eventIds], (ids) =>
    db
      .selectFrom('revision_record')
      .innerJoin('revision', 'revision.id', 'revision_record.revision_id')
      .leftJoin('revision as undone', 'undone.id', 'revision.undoes')
      .select(({ fn }) => ['record_id', 'revision.kind', fn.max<number>('revision_id').as('newest')])
      .where('revision_record.kind', '=', 'event')
      .where('record_id', 'in', ids)
      .where('revision.command', 'not in', ['publish', 'setBanner', 'import images'])
      .where(({ or, eb }) => or([eb('undone.kind', 'is', null), eb('undone.kind', 'in', ['import', 'undo'])]))
      .groupBy(['record_id', 'revision.kind'])
      .execute(),
  )
  const imported = new Map(
    rows.flatMap(({ kind, record_id, newest }) => (kind === 'import' ? [[record_id, newest]] : [])),
  )
  return new Set(
    rows.flatMap(({ record_id, newest }) =>
      Number(newest) > Number(imported.get(record_id) ?? newest) ? [record_id as EventId] : [],
    ),
  )
}

/** The newest revision that changed, added or removed a record of a kind; 0 for none. */
export async function findNewestRevisionOf(db: Db, kind: string): Promise<number> {
  const row = await db
    .selectFrom('revision_record')
    .select(({ fn }) => fn.max<number | null>('revision_id').as('newest'))
    .where('kind', '=', kind)
    .executeTakeFirst()
  return Number(row?.newest ?? 0)
}

/** All states of a record. */
export const listStatesOf = (db: Db, kind: string, recordId: number) =>
  db
    .selectFrom('revision_record')
    .select(['before', 'after'])
    .where('kind', '=', kind)
    .where('record_id', '=', recordId)
    .execute()

export async function deleteRecordsOf(db: Db, kind: string, recordId: number): Promise<void> {
  await db.deleteFrom('revision_record').where('kind', '=', kind).where('record_id', '=', recordId).execute()
}

/** The records of events whose states may have this speaker, by id; some have another whose id contains the same digits. */
export const listEventsNaming = (
  db: Db,
  speaker: SpeakerId,
  after: number,
  limit: number,
): Promise<Pick<RevisionRecord, 'id' | 'before' | 'after'>[]> => {
  const pattern = `%speakers%[%${speaker}%]%`
  return db
    .selectFrom('revision_record')
    .select(['id', 'before', 'after'])
    .where('kind', '=', 'event')
    .where(({ or, eb }) => or([eb('before', 'like', pattern), eb('after', 'like', pattern)]))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function changeStates(db: Db, id: number, before: string, after: string): Promise<void> {
  await db.updateTable('revision_record').set({ before, after }).where('id', '=', id).execute()
}

/** Marks a revision as undone, and deletes the states of its records: those of its undo replace them. */
export async function finishUndo(db: Db, revisionId: number, undone_at: number): Promise<void> {
  await db.deleteFrom('revision_record').where('revision_id', '=', revisionId).execute()
  await db.updateTable('revision').set({ undone_at }).where('id', '=', revisionId).execute()
}
