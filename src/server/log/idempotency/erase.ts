import { sql } from 'kysely'
import { noParticipant, type ParticipantId } from '../../core/ids.ts'
import { inChunks } from '../../storage/db/in-chunks.ts'
import type { Db } from '../../storage/db/tables.ts'
import { type HolderKind, idIn, keysOfKind } from './stored-responses.ts'

/** Responses that are deleted in one transaction, in a few milliseconds. */
const batchSize = 200

/**
 * Deletes some of the stored responses to the requests of participants, and of those that show them, as an author, in a
 * profile or among likes. A retry of a request without its response is executed again, so all others stay.
 * @returns whether there may be more
 */
export async function eraseSomeResponses(db: Db, ids: readonly ParticipantId[]): Promise<boolean> {
  const own = db
    .selectFrom('idempotency')
    .select('key')
    .where('participant_id', 'in', ids)
    // As the condition of the index.
    .where('participant_id', '<>', sql.lit(noParticipant))
    .limit(batchSize)
  const others = db.selectFrom('mention').select('key').distinct().where('participant_id', 'in', ids).limit(batchSize)
  for (const keys of [own, others]) {
    const deleted = await db.deleteFrom('idempotency').where('key', 'in', keys).executeTakeFirst()
    if (Number(deleted.numDeletedRows) >= batchSize) return true
  }
  return false
}

/** Deletes all of them in one transaction, on a database that nobody else uses. */
export async function eraseResponsesOf(db: Db, id: ParticipantId): Promise<void> {
  while (await eraseSomeResponses(db, [id]));
}

/** Deletes the responses whose text begins like this. */
export async function eraseResponsesWith(db: Db, start: string): Promise<void> {
  await db.deleteFrom('idempotency').where('data', 'like', `${start}%`).execute()
}

/** Deletes some of all stored responses, where everyone is erased. @returns whether there may be more */
export async function eraseAllResponses(db: Db): Promise<boolean> {
  const some = db.selectFrom('idempotency').select('key').limit(batchSize)
  const deleted = await db.deleteFrom('idempotency').where('key', 'in', some).executeTakeFirst()
  return Number(deleted.numDeletedRows) >= batchSize
}

/**
 * Deletes the responses stored for retries of sign-ins, by browsers that were about to sign in, and by those of these
 * sessions that are organizers'. The responses to participants and to keys stay: they do not end with a session.
 */
export async function eraseSignInRetries(db: Db, sessions: readonly number[]): Promise<void> {
  const ended = new Set(sessions)
  const holders: HolderKind[] = ['session', 'browser', 'credential']
  const rows = await db
    .selectFrom('idempotency')
    .select('key')
    .where(({ or, eb }) => or(holders.map((holder) => eb('key', 'like', keysOfKind(holder)))))
    .execute()
  const isEnded = (key: string): boolean => {
    const credential = idIn(key, 'credential')
    return credential === undefined || ended.has(credential)
  }
  await inChunks(rows.map(({ key }) => key).filter(isEnded), (keys) =>
    db.deleteFrom('idempotency').where('key', 'in', keys).execute(),
  )
}
