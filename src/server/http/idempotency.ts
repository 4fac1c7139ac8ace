import { createHash } from 'node:crypto'
import type { OperationName } from '../../contract/index.ts'
import { hashSecret } from '../access/secret.ts'
import { Failure } from '../core/failure.ts'
import { noParticipant } from '../core/ids.ts'
import { mediaQuery } from '../core/links.ts'
import type { Principal } from '../core/principal.ts'
import { dayMs } from '../core/time-units.ts'
import type { Db } from '../db/tables.ts'
import type { Upload } from '../files/uploads.ts'

/** How long a response is stored for retries of its request. */
const retentionMs = dayMs

/** The response to a write, without the parts of the envelope that depend on time. */
export interface WriteResponse {
  responseCode: number
  /** The JSON text of `data`. */
  dataText: string
}

/** Stored in place of a data text that was too long. */
export const omittedText = ''

/** A reproducible response is stored up to this many characters, so that its replay is identical. */
const maxStoredChars = 4_096

/**
 * Omits a long data text, for a response that can be read again. Otherwise many likes of a topic with a long
 * discussion, each of which returns all of it, would fill the disk.
 */
export const omitLongText = (response: WriteResponse): WriteResponse =>
  response.dataText.length > maxStoredChars ? { ...response, dataText: omittedText } : response

/**
 * Stands for the media key of a link. Clients cannot send it, because JSON text has no control characters: in strings
 * they are escaped (RFC 8259, 7).
 */
const mediaKeyMark = '\u0001'

/** Replaces media keys, which are never stored. @param mediaKey of the links in the response */
export const markMediaKeys = (response: WriteResponse, mediaKey: string): WriteResponse =>
  mediaKey === ''
    ? response
    : { ...response, dataText: response.dataText.replaceAll(mediaQuery(mediaKey), mediaKeyMark) }

/** @param mediaKey of the sender of the retry */
export const withMediaKeys = (response: WriteResponse, mediaKey: string): WriteResponse => ({
  ...response,
  dataText: response.dataText.replaceAll(mediaKeyMark, mediaQuery(mediaKey)),
})

/**
 * A key belongs to its sender, in the same roles: the same key of another is a different one, and a response that took
 * a role is not repeated without it. Keys that clients send have no spaces.
 * @param key as sent
 * @param browser its secret: a code to sign in with is too short to tell apart those who send it
 */
export function ownKey(
  key: string,
  { participant, roles, credential }: Principal,
  browser: string | undefined,
): string {
  if (credential === 0) return browser === undefined ? key : ['browser', hashSecret(browser), key].join(' ')
  const owner = participant === noParticipant ? ['credential', credential] : ['participant', participant, ...roles]
  return [...owner, key].join(' ')
}

/** The keys of requests in progress in this process. */
export type KeysInFlight = Set<string>

/** Identifies a request by one hash of its operation, its values, and the content of its files. */
export function computeFingerprint(operation: OperationName, values: object, uploads: readonly Upload[]): string {
  const files = uploads.map((upload) =>
    upload.kind === 'link' ? [upload.link, upload.fileType] : [upload.staged.sha256, upload.name, upload.declaredType],
  )
  return createHash('sha256')
    .update(JSON.stringify([operation, values, files]))
    .digest('hex')
}

/** Marks a key as in flight while `work` runs. @throws Failure IDEMPOTENCY_KEY_IN_FLIGHT if it already is */
export async function withKeyInFlight<T>(keys: KeysInFlight, key: string, work: () => Promise<T>): Promise<T> {
  if (keys.has(key)) throw new Failure('IDEMPOTENCY_KEY_IN_FLIGHT')
  keys.add(key)
  try {
    return await work()
  } finally {
    keys.delete(key)
  }
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
    .select(['fingerprint', 'response_code', 'data'])
    .where('key', '=', key)
    .where('created_at', '>', now - retentionMs)
    .executeTakeFirst()
  if (!row) return undefined
  if (row.fingerprint !== fingerprint) throw new Failure('IDEMPOTENCY_KEY_REUSED')
  return { responseCode: row.response_code, dataText: row.data }
}

/** Expired responses that each write deletes: more than the one that it adds, so that the backlog shrinks. */
const maxExpiredPerWrite = 100

/**
 * Stores a response, in the transaction of its write, and deletes a batch of expired ones: after a pause of a day all
 * responses of a conference may have expired, too many for a single write to delete in time.
 */
export async function storeResponse(
  db: Db,
  key: string,
  fingerprint: string,
  response: WriteResponse,
  now: number,
): Promise<void> {
  const expired = db
    .selectFrom('idempotency')
    .select('key')
    .where('created_at', '<=', now - retentionMs)
  await db
    .deleteFrom('idempotency')
    .where('key', 'in', expired.orderBy('created_at').limit(maxExpiredPerWrite))
    .execute()
  // A remaining response of the same key has expired, too: otherwise it would have been found.
  await db.deleteFrom('idempotency').where('key', '=', key).execute()
  await db
    .insertInto('idempotency')
    .values({ key, fingerprint, response_code: response.responseCode, data: response.dataText, created_at: now })
    .execute()
}
