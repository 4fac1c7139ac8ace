import type { Db, Row } from '../storage/db/tables.ts'

export const findAttemptCounts = (db: Db, keys: readonly string[]): Promise<Row<'attempt_count'>[]> =>
  db.selectFrom('attempt_count').selectAll().where('key_hmac', 'in', keys).execute()

export async function saveAttemptCounts(db: Db, counts: readonly Row<'attempt_count'>[]): Promise<void> {
  await db
    .insertInto('attempt_count')
    .values(counts)
    .onConflict((conflict) =>
      conflict.column('key_hmac').doUpdateSet((row) => ({
        attempts: row.ref('excluded.attempts'),
        ends_at: row.ref('excluded.ends_at'),
      })),
    )
    .execute()
}

/** Deleted at a time: more than are added, so that the backlog shrinks. */
const maxDeleted = 100

/** Deletes counts of periods that ended before a time, or end later than any that began. @returns how many */
export async function deleteAttemptCounts(db: Db, ended: number, latest: number): Promise<number> {
  let deleted = 0
  const counts = db.selectFrom('attempt_count').select('key_hmac').orderBy('ends_at').limit(maxDeleted)
  for (const old of [counts.where('ends_at', '<=', ended), counts.where('ends_at', '>', latest)]) {
    const { numDeletedRows } = await db.deleteFrom('attempt_count').where('key_hmac', 'in', old).executeTakeFirst()
    deleted += Number(numDeletedRows)
  }
  return deleted
}
