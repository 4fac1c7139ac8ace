import { createHmac } from 'node:crypto'
import { Failure } from '../../core/failure.ts'
import type { OrganizerId } from '../../core/ids.ts'
import type { PreparationScope, WriteScope } from '../../scope.ts'
import { hashSecret } from '../secret.ts'
import { readSignedSecret, signNewSecret } from '../signed-secret.ts'
import { deleteExpiredChallenges, insertUsedChallenge } from './store.ts'

// A challenge is derived from a secret in a cookie, so only the browser that asked for it can use it. Anybody may ask
// for a challenge, so it has no row until it is used; the cookie is signed.

export const challengeMs = 10 * 60_000

const cookieName = '__Host-summit-passkey'
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict'

/** One-way: pages, extensions and devices see the challenge, but not the secret. */
const challengeOf = (secret: string): string => createHmac('sha256', secret).update('webauthn').digest('base64url')

const purposeOf = (organizer: OrganizerId): string => `passkey ${organizer}`

/**
 * Creates a challenge, and has the response set its cookie.
 * @param organizer whose passkey it registers, `noOrganizer` for a sign-in
 */
export function issueChallenge({ cookieKey, cookies, now }: PreparationScope, organizer: OrganizerId): string {
  const { secret, value } = signNewSecret(cookieKey, purposeOf(organizer), now + challengeMs)
  cookies.push(`${cookieName}=${value}; ${attributes}; Max-Age=${challengeMs / 1000}`)
  return challengeOf(secret)
}

/**
 * The challenge of the browser. It may have been used.
 * @throws Failure PASSKEY_INVALID if there is none, or it has expired or is for another organizer
 */
export const readChallenge = (scope: PreparationScope, organizer: OrganizerId): string =>
  challengeOf(readSecret(scope, organizer))

/**
 * Uses up the challenge of the browser.
 * @throws Failure PASSKEY_INVALID as `readChallenge`, and if it was used before
 */
export async function useChallenge(scope: WriteScope, organizer: OrganizerId): Promise<void> {
  const { db, now, cookies } = scope
  const secret_sha256 = hashSecret(readSecret(scope, organizer))
  await deleteExpiredChallenges(db, now)
  // The cookie expires before the row, so the challenge is never used twice.
  if (!(await insertUsedChallenge(db, { secret_sha256, organizer_id: organizer, expires_at: now + challengeMs })))
    throw new Failure('PASSKEY_INVALID')
  cookies.push(`${cookieName}=; ${attributes}; Max-Age=0`)
}

/** The secret from which the challenge is derived. @throws Failure PASSKEY_INVALID as `readChallenge` */
export function readSecret({ sentCookie, cookieKey, now }: PreparationScope, organizer: OrganizerId): string {
  const secret = readSignedSecret(cookieKey, purposeOf(organizer), sentCookie(cookieName) ?? '', now)
  if (secret === undefined) throw new Failure('PASSKEY_INVALID')
  return secret
}
