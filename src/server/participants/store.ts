import { inChunks } from '../db/in-chunks.ts'
import type { Db, NewRow, Row } from '../db/tables.ts'
import { Failure } from '../failure.ts'
import type { ParticipantId } from '../ids.ts'
import { type Page, rowsOf } from '../paging.ts'

/** What can be changed about a participant. */
export type ParticipantValues = Pick<
  Row<'participant'>,
  'employee_no' | 'designation' | 'email' | 'first_name' | 'last_name' | 'photo' | 'mobile_no' | 'gender'
>

/** The names behind ids, deleted participants included: what they wrote stays theirs. */
export function findNames(db: Db, ids: Iterable<ParticipantId>) {
  return inChunks(ids, (some) =>
    db
      .selectFrom('participant')
      .select(['id', 'first_name', 'last_name', 'designation', 'photo'])
      .where('id', 'in', some)
      .execute(),
  )
}

/** A page of participants, by id. */
export async function pageOfParticipants(db: Db, page: Page): Promise<Row<'participant'>[]> {
  const ids = db
    .selectFrom('participant')
    .select('id')
    .where('is_deleted', '=', 0)
    .orderBy('id')
    .limit(rowsOf(page))
    .offset(page.offset)
  return db.selectFrom('participant').selectAll().where('id', 'in', ids).orderBy('id').execute()
}

/** @throws Failure PARTICIPANT_NOT_FOUND */
export async function getParticipant(db: Db, id: ParticipantId): Promise<Row<'participant'>> {
  const row = await db
    .selectFrom('participant')
    .selectAll()
    .where('id', '=', id)
    .where('is_deleted', '=', 0)
    .executeTakeFirst()
  if (!row) throw new Failure('PARTICIPANT_NOT_FOUND')
  return row
}

export async function insertParticipant(db: Db, participant: NewRow<'participant'>): Promise<ParticipantId> {
  const { id } = await db.insertInto('participant').values(participant).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function changeParticipant(
  db: Db,
  id: ParticipantId,
  values: Partial<ParticipantValues>,
  modified_at: number,
): Promise<void> {
  await db
    .updateTable('participant')
    .set({ ...values, modified_at })
    .where('id', '=', id)
    .execute()
}

/** Those who are not deleted, by id. */
export async function participantRows(db: Db): Promise<Row<'participant'>[]> {
  return db.selectFrom('participant').selectAll().where('is_deleted', '=', 0).orderBy('id').execute()
}

/** For the export. */
export async function participantsAfter(
  db: Db,
  columns: readonly (keyof Row<'participant'>)[],
  after: ParticipantId,
  most: number,
) {
  const kept = db.selectFrom('participant').select(columns).where('is_deleted', '=', 0)
  return kept.where('id', '>', after).orderBy('id').limit(most).execute()
}
