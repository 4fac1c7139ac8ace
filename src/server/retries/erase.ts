import type { ParticipantId } from '../core/ids.ts'
import { inChunks } from '../db/in-chunks.ts'
import type { Db } from '../db/tables.ts'
import { idIn, keysOf, type Owner } from './owner.ts'

/**
 * Deletes the stored responses to a participant's requests, and those that show them, as an author, in a profile or
 * among likes. A retry of a request without its response is executed again, so all others stay.
 */
export async function eraseResponsesOf(db: Db, id: ParticipantId): Promise<void> {
  const shown = [`{"id":"${id}","name":`, `"participant":{"id":"${id}",`, `"created_by":"${id}"`]
  await db
    .deleteFrom('idempotency')
    .where(({ or, eb }) =>
      or([eb('key', 'like', keysOf('participant', id)), ...shown.map((text) => eb('data', 'like', `%${text}%`))]),
    )
    .execute()
}

/** Deletes all stored responses, where everyone is erased. */
export async function eraseAllResponses(db: Db): Promise<void> {
  await db.deleteFrom('idempotency').execute()
}

/**
 * Deletes the responses stored for retries of sign-ins, by browsers that were about to sign in, and by those of these
 * sessions that are organizers'. The responses to participants and to keys stay: they do not end with a session.
 */
export async function eraseSignInRetries(db: Db, sessions: readonly number[]): Promise<void> {
  const ended = new Set(sessions)
  const owners: Owner[] = ['session', 'browser', 'credential']
  const rows = await db
    .selectFrom('idempotency')
    .select('key')
    .where(({ or, eb }) => or(owners.map((owner) => eb('key', 'like', keysOf(owner)))))
    .execute()
  const isEnded = (key: string): boolean => {
    const credential = idIn(key, 'credential')
    return credential === undefined || ended.has(credential)
  }
  await inChunks(rows.map(({ key }) => key).filter(isEnded), (keys) =>
    db.deleteFrom('idempotency').where('key', 'in', keys).execute(),
  )
}
