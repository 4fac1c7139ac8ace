import { createHmac } from 'node:crypto'
import { dayMs } from '../core/time-units.ts'
import type { PreparationScope, WriteScope } from '../scope.ts'
import type { Db, Row } from '../storage/db/tables.ts'

// Attempts are counted in the transaction that they belong to, for all processes. The counts name neither a person nor
// an address, and outlive both.

/** At most so many attempts in a period, which begins with the first of them. */
export interface Limit {
  /** Identifies it among all limits. */
  readonly name: string
  readonly max: number
  /** At most an hour. */
  readonly periodMs: number
}

/** An attempt that counts towards a limit. */
export interface Attempt {
  readonly limit: Limit
  /** By whom it is, or for which address. */
  readonly of: readonly (string | number)[]
}

/**
 * The milliseconds until these attempts exceed no limit; 0 if they exceed none now. Several of them may count towards the
 * same one.
 */
export async function findWait(scope: PreparationScope, attempts: readonly Attempt[]): Promise<number> {
  const exceeded = (await addAttempts(scope, attempts)).filter(({ max, row }) => row.attempts > max)
  return Math.max(0, ...exceeded.map(({ row }) => row.ends_at - scope.now))
}

export async function countAttempts(scope: WriteScope, attempts: readonly Attempt[]): Promise<void> {
  const counts = await addAttempts(scope, attempts)
  await saveAttemptCounts(
    scope.db,
    counts.map(({ row }) => row),
  )
}

/** The counts with these attempts, which are not stored yet. */
async function addAttempts(
  { db, now, cookieKey }: PreparationScope,
  attempts: readonly Attempt[],
): Promise<{ max: number; row: Row<'attempt_count'> }[]> {
  const keyed = attempts.map(({ limit, of }) => {
    const text = JSON.stringify(['attempts', limit.name, ...of])
    return { limit, key_hmac: createHmac('sha256', cookieKey).update(text).digest('base64url') }
  })
  if (keyed.length === 0) return []
  const stored = await findAttemptCounts(
    db,
    keyed.map(({ key_hmac }) => key_hmac),
  )
  const present = new Map(stored.map((row) => [row.key_hmac, row]))
  const counts = new Map<string, { max: number; row: Row<'attempt_count'> }>()
  for (const { limit, key_hmac } of keyed) {
    const before = counts.get(key_hmac)?.row ?? present.get(key_hmac)
    const row = isOn(before, limit, now) ? before : { key_hmac, attempts: 0, ends_at: now + limit.periodMs }
    counts.set(key_hmac, { max: limit.max, row: { ...row, attempts: row.attempts + 1 } })
  }
  return [...counts.values()]
}

/** Whether the period of a count has not ended. A clock that was set back prolongs it once at most. */
const isOn = (row: Row<'attempt_count'> | undefined, { periodMs }: Limit, now: number): row is Row<'attempt_count'> =>
  row !== undefined && row.ends_at > now && row.ends_at <= now + 2 * periodMs

/** Deletes some counts whose period has ended. @returns how many; 0 once none is left */
export const deleteOldAttempts = (db: Db, now: number): Promise<number> => deleteAttemptCounts(db, now, now + dayMs)

const findAttemptCounts = (db: Db, keys: readonly string[]): Promise<Row<'attempt_count'>[]> =>
  db.selectFrom('attempt_count').selectAll().where('key_hmac', 'in', keys).execute()

async function saveAttemptCounts(db: Db, counts: readonly Row<'attempt_count'>[]): Promise<void> {
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
async function deleteAttemptCounts(db: Db, ended: number, latest: number): Promise<number> {
  let deleted = 0
  const counts = db.selectFrom('attempt_count').select('key_hmac').orderBy('ends_at').limit(maxDeleted)
  for (const old of [counts.where('ends_at', '<=', ended), counts.where('ends_at', '>', latest)]) {
    const { numDeletedRows } = await db.deleteFrom('attempt_count').where('key_hmac', 'in', old).executeTakeFirst()
    deleted += Number(numDeletedRows)
  }
  return deleted
}
