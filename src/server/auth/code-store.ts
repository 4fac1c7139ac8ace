import type { ParticipantId } from '../core/ids.ts'
import type { Db, NewRow, Row } from '../storage/db/tables.ts'

export async function insertCode(db: Db, code: NewRow<'code'>): Promise<void> {
  await db.insertInto('code').values(code).execute()
}

/** The code that a browser has asked for last. */
export const findNewestCode = (db: Db, browserSha256: string, purpose: string): Promise<Row<'code'> | undefined> =>
  db
    .selectFrom('code')
    .selectAll()
    .where('browser_sha256', '=', browserSha256)
    .where('purpose', '=', purpose)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export async function addWrongTry(db: Db, id: number): Promise<void> {
  await db
    .updateTable('code')
    .set((row) => ({ wrong_tries: row('wrong_tries', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** @returns whether it had not been redeemed before */
export async function markCodeRedeemed(db: Db, id: number, redeemed_at: number): Promise<boolean> {
  const unredeemed = db.updateTable('code').set({ redeemed_at }).where('id', '=', id).where('redeemed_at', '=', 0)
  return Number((await unredeemed.executeTakeFirst()).numUpdatedRows) > 0
}

/** Whether somebody has redeemed a code for this address in this browser. */
export async function hasRedeemed(db: Db, email: string, browserSha256: string): Promise<boolean> {
  const redeemed = db.selectFrom('code').select('id').where('browser_sha256', '=', browserSha256)
  return (await redeemed.where('email', '=', email).where('redeemed_at', '>', 0).executeTakeFirst()) !== undefined
}

/** Deleted at a time: more than are added, so that the backlog shrinks. */
const maxDeleted = 100

/**
 * Deletes codes that were not redeemed, or only long ago.
 * @param times before which they were created or redeemed, and after which none can have been created
 * @returns how many; 0 once none is left
 */
export async function deleteCodesBefore(
  db: Db,
  times: { unredeemed: number; redeemed: number; latest: number },
): Promise<number> {
  let deleted = 0
  const codes = db.selectFrom('code').select('id').limit(maxDeleted)
  const unredeemed = codes.where('redeemed_at', '=', 0).orderBy('created_at')
  const expired = unredeemed.where('created_at', '<=', times.unredeemed)
  const ofFuture = unredeemed.where('created_at', '>=', times.latest)
  const redeemed = codes.where('redeemed_at', '>', 0).where('redeemed_at', '<=', times.redeemed).orderBy('redeemed_at')
  for (const old of [expired, ofFuture, redeemed])
    deleted += Number((await db.deleteFrom('code').where('id', 'in', old).executeTakeFirst()).numDeletedRows)
  return deleted
}

/** @param emails for which codes may have been asked before they were theirs */
export async function deleteCodesOf(db: Db, participant: ParticipantId, emails: readonly string[]): Promise<void> {
  await db.deleteFrom('code').where('participant_id', '=', participant).execute()
  for (const email of emails) await db.deleteFrom('code').where('email', '=', email).execute()
}

export async function deleteAllCodes(db: Db): Promise<void> {
  await db.deleteFrom('code').execute()
}
