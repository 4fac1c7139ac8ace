import { sql } from 'kysely'
import { Failure } from '../../core/failure.ts'
import type { ParticipantId } from '../../core/ids.ts'
import type { PageParams } from '../../core/paging.ts'
import { inChunks } from '../../storage/db/in-chunks.ts'
import { prepared } from '../../storage/db/prepared.ts'
import type { Db, NewRow, Row } from '../../storage/db/tables.ts'
import { type AuthorColumns, authorColumns, fullName } from './author-columns.ts'

/** The values of a participant that can be changed. */
export type ParticipantValues = Pick<
  Row<'participant'>,
  'employee_no' | 'designation' | 'email' | 'first_name' | 'last_name' | 'photo' | 'mobile_no' | 'gender'
>

const selectAuthors = (db: Db) => db.selectFrom('participant as author').select(['author.id', ...authorColumns])

/** The author with this id: one row, or none. */
export const findAuthor = prepared((db, id: ParticipantId) => selectAuthors(db).where('author.id', '=', id))

const authorsByIds = prepared((db, ids: ParticipantId[]) => selectAuthors(db).where('author.id', 'in', ids))

/** The authors with these ids, in no particular order. @param ids may repeat */
export const findAuthors = (db: Db, ids: ParticipantId[]): Promise<(AuthorColumns & { id: ParticipantId })[]> =>
  inChunks([...new Set(ids)], (some) => authorsByIds(db, some))

const shownColumns = ['id', 'designation', 'employee_no', 'email', 'photo', 'mobile_no', 'gender'] as const

/** A participant as shown in the list. */
export type ShownParticipant = Pick<Row<'participant'>, (typeof shownColumns)[number]> & { full_name: string }

const selectShown = (db: Db) =>
  db.selectFrom('participant').select([...shownColumns, fullName('participant').as('full_name')])

const participantsInOrder = prepared((db, limit: number, offset: number) => {
  const ids = db.selectFrom('participant').select('id').where('is_deleted', '=', 0).orderBy('id')
  return selectShown(db).where('id', 'in', ids.limit(limit).offset(offset)).orderBy('id')
})

/** The participant with this id: one row, or none. */
export const findShownParticipant = prepared((db, id: ParticipantId) =>
  selectShown(db).where('id', '=', id).where('is_deleted', '=', 0),
)

/** A page of participants, by id. */
export const pageOfParticipants = (db: Db, page: PageParams): Promise<ShownParticipant[]> =>
  participantsInOrder(db, page.limit, page.offset)

const contact = (name: 'employee_no' | 'email' | 'mobile_no') =>
  sql<string>`case when ${sql.ref(`sharing.${name}`)} = 1 then ${sql.ref(`participant.${name}`)} else '' end`.as(name)

const selectShared = (db: Db) =>
  db
    .selectFrom('participant')
    .leftJoin('sharing', 'sharing.participant_id', 'participant.id')
    .select(['id', 'designation', 'photo', 'gender', fullName('participant').as('full_name')])
    .select([contact('employee_no'), contact('email'), contact('mobile_no')])

const sharedInOrder = prepared((db, limit: number, offset: number) => {
  const hidden = db.selectFrom('sharing').select('participant_id').where('is_hidden', '=', sql.lit(1))
  const ids = db
    .selectFrom('participant')
    .select('id')
    .where('is_deleted', '=', 0)
    .where('id', 'not in', hidden)
    .orderBy('id')
  return selectShared(db).where('id', 'in', ids.limit(limit).offset(offset)).orderBy('id')
})

/** The participant with this id, unless hidden, with the contacts that they share: one row, or none. */
export const findSharedParticipant = prepared((db, id: ParticipantId) =>
  selectShared(db)
    .where('id', '=', id)
    .where('is_deleted', '=', 0)
    .where(({ fn }) => fn.coalesce('is_hidden', sql.lit(0)), '=', 0),
)

/** A page of the participants who are not hidden, by id, with the contacts that they share. */
export const pageOfSharedParticipants = (db: Db, page: PageParams): Promise<ShownParticipant[]> =>
  sharedInOrder(db, page.limit, page.offset)

/** One row if there is a participant with this id, or none. */
export const findParticipantId = prepared((db, id: ParticipantId) =>
  db.selectFrom('participant').select('id').where('id', '=', id).where('is_deleted', '=', 0),
)

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

/** Leaves a former photo to be removed, unless a row still refers to it, like a file of somebody who was erased. */
export async function insertPhotoRemoval(
  db: Db,
  participant_id: ParticipantId,
  blob_key: string,
  created_at: number,
): Promise<void> {
  await db.insertInto('erasure_step').values({ kind: 'file', participant_id, blob_key, created_at }).execute()
}

/** Participants whose photo may be a stored one, after an id, including deleted ones. */
export async function listParticipantsWithPhotosAfter(db: Db, after: number, limit: number) {
  return db
    .selectFrom('participant')
    .select(['id', 'photo'])
    .where('id', '>', after as ParticipantId)
    .where('photo', 'like', storedPhotos)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** The pattern of the paths of stored photos, see `photos.ts`. */
const storedPhotos = 'api/participants/%'

/** The number of `listStoredPhotos`, or more if a client has made up such paths. */
export async function countStoredPhotos(db: Db): Promise<number> {
  const { photos } = await db
    .selectFrom('participant')
    .select(({ fn }) => fn.countAll<number>().as('photos'))
    .where('photo', 'like', storedPhotos)
    .executeTakeFirstOrThrow()
  return Number(photos)
}

/** Returns the blob keys among `keys` that are the photo of a participant, in that participant's folder. */
export async function findPhotoBlobs(db: Db, keys: readonly string[]): Promise<string[]> {
  const photos = keys.filter((key) => key.startsWith('participants/')).map((key) => `api/${key}`)
  if (photos.length === 0) return []
  const rows = await db.selectFrom('participant').select(['id', 'photo']).where('photo', 'in', photos).execute()
  // A client may have set the path of another participant's photo, which must not preserve that one.
  const own = rows.filter(({ id, photo }) => photo.startsWith(`api/participants/${id}/`))
  return own.map(({ photo }) => photo.slice('api/'.length))
}

export async function countParticipants(db: Db): Promise<number> {
  const { participants } = await db
    .selectFrom('participant')
    .select(({ fn }) => fn.countAll<number>().as('participants'))
    .where('is_deleted', '=', 0)
    .executeTakeFirstOrThrow()
  return Number(participants)
}

/** All rows that are not deleted, or only those in `ids`, ordered by id. */
export async function listParticipantRows(db: Db, ids?: ParticipantId[]): Promise<Row<'participant'>[]> {
  const all = db.selectFrom('participant').selectAll().where('is_deleted', '=', 0).orderBy('id')
  return (ids ? all.where('id', 'in', ids) : all).execute()
}

/** The e-mail address in the profile of a participant, also of one who is marked as deleted; '' for none. */
export async function findProfileEmail(db: Db, id: ParticipantId): Promise<string> {
  const row = await db.selectFrom('participant').select('email').where('id', '=', id).executeTakeFirst()
  return row?.email ?? ''
}

/** Participants, also those who are marked as deleted, in no particular order. */
export async function findAnyParticipants(db: Db, limit: number): Promise<ParticipantId[]> {
  const rows = await db.selectFrom('participant').select('id').limit(limit).execute()
  return rows.map(({ id }) => id)
}

/** Sets all columns. */
export async function changeParticipantRow(
  db: Db,
  id: ParticipantId,
  values: Omit<Row<'participant'>, 'id'>,
): Promise<void> {
  await db.updateTable('participant').set(values).where('id', '=', id).execute()
}

/** For the export. */
export async function participantsAfter(
  db: Db,
  columns: readonly (keyof Row<'participant'>)[],
  after: ParticipantId,
  limit: number,
) {
  const notDeleted = db.selectFrom('participant').select(columns).where('is_deleted', '=', 0)
  return notDeleted.where('id', '>', after).orderBy('id').limit(limit).execute()
}

/** Undefined for a participant who has chosen nothing. */
export const findSharing = (db: Db, participant: ParticipantId): Promise<Row<'sharing'> | undefined> =>
  db.selectFrom('sharing').selectAll().where('participant_id', '=', participant).executeTakeFirst()

export async function storeSharing(db: Db, { participant_id, ...choices }: Row<'sharing'>): Promise<void> {
  await db
    .insertInto('sharing')
    .values({ participant_id, ...choices })
    .onConflict((conflict) => conflict.column('participant_id').doUpdateSet(choices))
    .execute()
}
