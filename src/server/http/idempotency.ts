import { createHash } from 'node:crypto'
import type { FailedField } from '../../contract/envelope.ts'
import type { OperationName } from '../../contract/index.ts'
import { Failure } from '../core/failure.ts'
import type { Db } from '../db/tables.ts'
import type { Upload } from '../files/uploads.ts'

/** How long an answer is kept for a repetition of its request. */
const keptMs = 24 * 60 * 60 * 1000

/** The answer to a write. */
export interface StoredResponse {
  responseCode: number
  /** The JSON text of `data`. */
  dataText: string
}

/** What is in the place of the text of an answer that was too long to be kept. */
export const notStored = ''

/** Characters of an answer that are kept although it can be made again: then it is exactly as it was. */
const mostKept = 4_096

/**
 * What is kept of an answer that can be made again. Else many likes of a topic under long discussion, each of which
 * answers all of it, would fill the disk.
 */
export const boundedOf = (answer: StoredResponse): StoredResponse =>
  answer.dataText.length > mostKept ? { ...answer, dataText: notStored } : answer

/** The keys of requests under way in this process. */
export type KeysInFlight = Set<string>

/** Reads the `Idempotency-Key` header; `fields` names it unless it is 1 to 255 visible ASCII characters. */
export function idempotencyKeyOf(header: string | string[] | undefined): {
  key: string | undefined
  fields: FailedField[]
} {
  if (header === undefined) return { key: undefined, fields: [] }
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return { key: header, fields: [] }
  const field = 'Idempotency-Key'
  const message = `${field} must be 1 to 255 visible ASCII characters.`
  return { key: undefined, fields: [{ field, in: 'header', reason: 'NOT_A_KEY', message }] }
}

/** What a request asks for, as one hash: the operation, its values, and the content of its files. */
export function fingerprintOf(operation: OperationName, values: object, uploads: readonly Upload[]): string {
  const files = uploads.map((upload) =>
    upload.kind === 'link' ? [upload.link, upload.fileType] : [upload.staged.sha256, upload.name, upload.declaredType],
  )
  return createHash('sha256')
    .update(JSON.stringify([operation, values, files]))
    .digest('hex')
}

/** Marks a key as under way for as long as `work` takes. @throws Failure IDEMPOTENCY_KEY_IN_FLIGHT when it is already */
export async function whileInFlight<T>(keys: KeysInFlight, key: string, work: () => Promise<T>): Promise<T> {
  if (keys.has(key)) throw new Failure('IDEMPOTENCY_KEY_IN_FLIGHT')
  keys.add(key)
  try {
    return await work()
  } finally {
    keys.delete(key)
  }
}

/**
 * The answer that was given to this key, if it was, with what was kept of it.
 * @throws Failure IDEMPOTENCY_KEY_REUSED when that was for another request
 */
export async function findStoredResponse(
  db: Db,
  key: string,
  fingerprint: string,
  now: number,
): Promise<StoredResponse | undefined> {
  const row = await db
    .selectFrom('idempotency')
    .select(['fingerprint', 'response_code', 'data'])
    .where('key', '=', key)
    .where('created_at', '>', now - keptMs)
    .executeTakeFirst()
  if (!row) return undefined
  if (row.fingerprint !== fingerprint) throw new Failure('IDEMPOTENCY_KEY_REUSED')
  return { responseCode: row.response_code, dataText: row.data }
}

/** Answers past their time that each write lets go of: more than it adds, so that they become fewer. */
const mostForgotten = 100

/**
 * Keeps an answer, in the transaction of the write that it is the answer to, and lets go of some of those past their
 * time: after a pause of a day that may be all the answers of a conference, which no single write could remove in time.
 */
export async function storeResponse(
  db: Db,
  key: string,
  fingerprint: string,
  answer: StoredResponse,
  now: number,
): Promise<void> {
  const past = db
    .selectFrom('idempotency')
    .select('key')
    .where('created_at', '<=', now - keptMs)
  await db.deleteFrom('idempotency').where('key', 'in', past.orderBy('created_at').limit(mostForgotten)).execute()
  // One of the same key that is left is past its time, too: else it would have been found.
  await db.deleteFrom('idempotency').where('key', '=', key).execute()
  await db
    .insertInto('idempotency')
    .values({ key, fingerprint, response_code: answer.responseCode, data: answer.dataText, created_at: now })
    .execute()
}
