import { Failure } from '../../core/failure.ts'
import type { ParticipantId } from '../../core/ids.ts'
import { dayMs } from '../../core/time-units.ts'
import type { Db } from '../../storage/db/tables.ts'

/** How long a response is stored for retries of its request. */
const retentionMs = dayMs

/** The response to a write, without the parts of the envelope that depend on time. */
export interface WriteResponse {
  responseCode: number
  /** The JSON text of `data`. */
  dataText: string
}

/**
 * Finds the response that was stored for this key.
 * @throws Failure IDEMPOTENCY_KEY_REUSED if it was for another request
 */
export async function findStoredResponse(
  db: Db,
  key: string,
  fingerprint: string,
  now: number,
): Promise<WriteResponse | undefined> {
  const row = await db
    .selectFrom('idempotency')
    .select(['fingerprint', 'response_code', 'data', 'created_at'])
    .where('key', '=', key)
    .where('created_at', '>', now - retentionMs)
    .executeTakeFirst()
  if (!row) return undefined
  if (row.fingerprint !== fingerprint) {
    // Dated by a wrong clock. A retry of the same request still gets it: executing it again would be worse.
    if (row.created_at > now + retentionMs) return undefined
    throw new Failure('IDEMPOTENCY_KEY_REUSED')
  }
  return { responseCode: row.response_code, dataText: row.data }
}

/** A response, and what to find it by. */
export interface StoredResponse extends WriteResponse {
  key: string
  fingerprint: string
  /** The participant who gets it for a retry; 0 for none. */
  holder: ParticipantId
  /** The participants whom it shows. */
  mentions: ReadonlySet<ParticipantId>
}

/** Stores a response, in the transaction of its write. */
export async function storeResponse(
  db: Db,
  { key, fingerprint, holder, mentions, ...response }: StoredResponse,
  now: number,
): Promise<void> {
  // One of the same key has expired, or is dated in the future: otherwise it would have been found.
  await db.deleteFrom('idempotency').where('key', '=', key).execute()
  const { responseCode: response_code, dataText: data } = response
  await db
    .insertInto('idempotency')
    .values({ key, fingerprint, response_code, data, created_at: now, participant_id: holder })
    .execute()
  const others = [...mentions].filter((id) => id !== holder)
  // One of a few thousand characters names few participants.
  if (others.length > 0)
    await db
      .insertInto('mention')
      .values(others.map((participant_id) => ({ key, participant_id })))
      .execute()
}

/** Deleted at a time: all responses of a conference may have expired, too many for one transaction. */
const maxDeleted = 100

/**
 * Deletes some responses that have expired, or that a wrong clock has dated in the future.
 * @returns how many; 0 once none is left
 */
export async function deleteOldResponses(db: Db, now: number): Promise<number> {
  let deleted = 0
  const responses = db.selectFrom('idempotency').select('key').orderBy('created_at').limit(maxDeleted)
  const expired = responses.where('created_at', '<=', now - retentionMs)
  const ofFuture = responses.where('created_at', '>', now + retentionMs)
  for (const old of [expired, ofFuture])
    deleted += Number((await db.deleteFrom('idempotency').where('key', 'in', old).executeTakeFirst()).numDeletedRows)
  return deleted
}

/** Whose a stored response is, if anyone's: only the same holder gets it for a retry. */
export type HolderKind = 'participant' | 'credential' | 'browser' | 'session'

/**
 * The key of a stored response that belongs to somebody. Keys that clients send have no spaces.
 * @param parts the holder's id, and what tells its responses apart
 */
export const keyOfHolder = (holder: HolderKind, ...parts: (string | number)[]): string => [holder, ...parts].join(' ')

/** A pattern for `like`: the keys of all holders of a kind. */
export const keysOfKind = (holder: HolderKind): string => `${holder} %`

/** The id in a key from {@link keyOfHolder}; undefined for a key of another kind of holder. */
export function idIn(key: string, holder: HolderKind): number | undefined {
  const [found, id] = key.split(' ')
  return found === holder ? Number(id) : undefined
}

/** The members of responses with the id of a participant. */
const idMembers: ReadonlySet<string> = new Set([
  ...['participant_id', 'created_by', 'modified_by', 'deleted_by', 'posted_by'],
])

/** A member that only authors, and participants in a list and in a profile have. */
const memberOfPerson = 'designation'

/** Finds the participants whom a response names, shows as an author, or shows in a profile. */
export function findMentions(data: object): Set<ParticipantId> {
  const ids = new Set<ParticipantId>()
  const add = (id: unknown): void => {
    if (Number(id) > 0) ids.add(Number(id) as ParticipantId)
  }
  const search = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(search)
    else if (value instanceof Object) {
      if (memberOfPerson in value && 'id' in value) add(value.id)
      for (const [name, member] of Object.entries(value)) {
        if (idMembers.has(name)) add(member)
        else search(member)
      }
    }
  }
  search(data)
  return ids
}
