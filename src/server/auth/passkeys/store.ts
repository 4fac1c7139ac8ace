import type { OrganizerId, PasskeyId } from '../../core/ids.ts'
import type { Db, NewRow, Row } from '../../storage/db/tables.ts'

/** @returns undefined if there is a passkey with this `webauthn_id`, whosever it is */
export async function insertPasskey(db: Db, passkey: NewRow<'passkey'>): Promise<PasskeyId | undefined> {
  const insert = db
    .insertInto('passkey')
    .values(passkey)
    .onConflict((conflict) => conflict.column('webauthn_id').doNothing())
  return (await insert.returning('id').executeTakeFirst())?.id
}

export const findPasskey = (db: Db, webauthnId: string): Promise<Row<'passkey'> | undefined> =>
  db.selectFrom('passkey').selectAll().where('webauthn_id', '=', webauthnId).executeTakeFirst()

/** Oldest first. */
export const listPasskeysOf = (db: Db, organizer: OrganizerId): Promise<Row<'passkey'>[]> =>
  db.selectFrom('passkey').selectAll().where('organizer_id', '=', organizer).orderBy('id').execute()

/** @param previous the counter that the use was checked against @returns whether it was still the same */
export async function markPasskeyUsed(
  db: Db,
  { id, previous, counter, used_at }: { id: PasskeyId; previous: number; counter: number; used_at: number },
): Promise<boolean> {
  const unchanged = db
    .updateTable('passkey')
    .set({ counter, used_at })
    .where('id', '=', id)
    .where('counter', '=', previous)
  return Number((await unchanged.executeTakeFirst()).numUpdatedRows) > 0
}

/** @returns whether this organizer had a passkey with this id */
export async function deletePasskey(db: Db, organizer: OrganizerId, id: PasskeyId): Promise<boolean> {
  const own = db.deleteFrom('passkey').where('id', '=', id).where('organizer_id', '=', organizer)
  return Number((await own.executeTakeFirst()).numDeletedRows) > 0
}

/** @returns false if it was used before */
export async function insertUsedChallenge(db: Db, challenge: NewRow<'passkey_challenge'>): Promise<boolean> {
  const insert = db
    .insertInto('passkey_challenge')
    .values(challenge)
    .onConflict((conflict) => conflict.column('secret_sha256').doNothing())
  return Number((await insert.executeTakeFirst()).numInsertedOrUpdatedRows) > 0
}

/** Deleted at a time: more than are added, so that the backlog shrinks, and few enough not to delay other writes. */
const maxDeleted = 100

/** @returns how many were deleted; 0 once none is left */
export async function deleteExpiredChallenges(db: Db, now: number): Promise<number> {
  const expired = db.selectFrom('passkey_challenge').select('secret_sha256').where('expires_at', '<=', now)
  const deletion = db.deleteFrom('passkey_challenge').where('secret_sha256', 'in', expired.limit(maxDeleted))
  return Number((await deletion.executeTakeFirst()).numDeletedRows)
}

/** @returns whether there was one */
export async function deletePasskeyOfAnyone(db: Db, id: PasskeyId): Promise<boolean> {
  return Number((await db.deleteFrom('passkey').where('id', '=', id).executeTakeFirst()).numDeletedRows) > 0
}
