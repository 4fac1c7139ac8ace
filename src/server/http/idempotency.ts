import { createHash } from 'node:crypto'
import type { OperationName } from '../../contract/index.ts'
import { hashSecret } from '../auth/secret.ts'
import { Failure } from '../core/failure.ts'
import { noParticipant } from '../core/ids.ts'
import { mediaQuery } from '../core/links.ts'
import type { Principal } from '../core/principal.ts'
import { keyOfHolder, type WriteResponse } from '../log/idempotency/stored-responses.ts'
import type { OperationInput } from './request/input.ts'

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
  if (credential === 0) return browser === undefined ? key : keyOfHolder('browser', hashSecret(browser), key)
  return participant === noParticipant
    ? keyOfHolder('credential', credential, key)
    : keyOfHolder('participant', participant, ...roles, key)
}

/** The keys of requests in progress in this process. */
export type KeysInFlight = Set<string>

/** Identifies a request by one hash of its operation, its values, and the content of its files. */
export function computeFingerprint(
  operation: OperationName,
  { values, uploads, photoPart, filePart }: Pick<OperationInput, 'values' | 'uploads' | 'photoPart' | 'filePart'>,
): string {
  const files = uploads.map((upload) =>
    upload.kind === 'link' ? [upload.link, upload.fileType] : [upload.staged.sha256, upload.name, upload.declaredType],
  )
  const part = photoPart ?? filePart?.staged
  return createHash('sha256')
    .update(JSON.stringify([operation, values, files, ...(part ? [part.sha256] : [])]))
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
