import { createHmac } from 'node:crypto'
import { hashSecret, isSecret, newSecret } from '../access/secret.ts'
import { Failure } from '../core/failure.ts'
import type { OrganizerId } from '../core/ids.ts'
import type { Db } from '../db/tables.ts'
import type { PreparationScope, WriteScope } from '../scope.ts'
import { deleteAllChallenges, deleteChallenge, deleteExpiredChallenges, insertChallenge } from './store.ts'

// A challenge is derived from a secret in a cookie, so only the browser that asked for it can use it. The row, which
// has the hash of the secret, is deleted with the first use.

export const challengeMs = 10 * 60_000

const cookieName = '__Host-summit-passkey'
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict'

/** One-way: pages, extensions and devices see the challenge, but not the secret. */
const challengeOf = (secret: string): string => createHmac('sha256', secret).update('webauthn').digest('base64url')

/**
 * Creates a challenge, and has the response set its cookie.
 * @param organizer whose passkey it registers, `noOrganizer` for a sign-in
 */
export async function issueChallenge(scope: WriteScope, organizer: OrganizerId): Promise<string> {
  const secret = newSecret()
  const { db, now } = scope
  await deleteExpiredChallenges(db, now)
  await insertChallenge(db, {
    secret_sha256: hashSecret(secret),
    organizer_id: organizer,
    expires_at: now + challengeMs,
  })
  scope.cookies.push(`${cookieName}=${secret}; ${attributes}; Max-Age=${challengeMs / 1000}`)
  return challengeOf(secret)
}

/** The challenge of the browser. It may have been used. @throws Failure PASSKEY_INVALID if there is none */
export const readChallenge = (scope: PreparationScope): string => challengeOf(readSecret(scope))

/**
 * Uses up the challenge of the browser.
 * @throws Failure PASSKEY_INVALID if it was used before or has expired, or is another's
 */
export async function useChallenge(scope: WriteScope, organizer: OrganizerId): Promise<void> {
  if (!(await deleteChallenge(scope.db, hashSecret(readSecret(scope)), organizer, scope.now)))
    throw new Failure('PASSKEY_INVALID')
  scope.cookies.push(`${cookieName}=; ${attributes}; Max-Age=0`)
}

/** Ends every registration and sign-in that has begun. */
export const endChallenges = (db: Db): Promise<void> => deleteAllChallenges(db)

function readSecret({ sentCookie }: PreparationScope): string {
  const secret = sentCookie(cookieName) ?? ''
  if (!isSecret(secret)) throw new Failure('PASSKEY_INVALID')
  return secret
}
