import { isFuture } from '../../core/clock.ts'
import { hourMs } from '../../core/time-units.ts'
import { findSecret, replaceSecret } from '../../storage/db/stored-secret.ts'
import type { Db } from '../../storage/db/tables.ts'

/** A backup that was verified; times are in milliseconds since 1970. */
export interface VerifiedBackup {
  createdAt: number
  durationMs: number
  bytes: number
}

/**
 * Among the secrets, which all servers of a summit read, and which a move or a backup leaves behind: a restored summit has
 * no backup of its own yet.
 */
const name = 'newest_backup'

/** Call it in a transaction. */
export const recordNewestBackup = (tx: Db, { createdAt, durationMs, bytes }: VerifiedBackup): Promise<void> =>
  replaceSecret(tx, name, JSON.stringify({ createdAt, durationMs, bytes } satisfies VerifiedBackup))

/** @returns undefined if none is known, or it is dated in the future */
export async function findNewestBackup(db: Db, now: number): Promise<VerifiedBackup | undefined> {
  const value = await findSecret(db, name)
  const backup = value === undefined ? undefined : (JSON.parse(value) as VerifiedBackup)
  return backup && !isFuture(backup.createdAt, now) ? backup : undefined
}

/** How much later than planned a backup may be. */
const lateMs = 2 * hourMs

/** @param createdAt when the newest backup was made @param everyMs how often one is to be made */
export const isBackupLate = (createdAt: number, everyMs: number, now: number): boolean =>
  now - createdAt > everyMs + lateMs
