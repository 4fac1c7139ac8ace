import { appendChange } from '../changes/log.ts'
import { noOrganizer } from '../core/ids.ts'
import type { Principal } from '../core/principal.ts'
import type { WriteScope } from '../scope.ts'
import { findUsableById, type Holder, insertCredential, markRevoked } from './credential-store.ts'
import { describeBrowser } from './describe-browser.ts'
import { toPrincipal } from './principals.ts'
import { hashSecret, newSecret } from './secret.ts'
import { expiredSessionCookie, sessionCookie } from './session-cookie.ts'

/**
 * Starts a session, and has the response set its cookie. The session with which the request was sent ends.
 * @param expiresAt in milliseconds since 1970
 * @returns the principal of requests with the cookie
 */
export async function startSession(
  scope: WriteScope,
  { participant, organizer, expiresAt }: Holder & { expiresAt: number },
): Promise<Principal> {
  const secret = newSecret()
  const { db, now, principal, cookies, userAgent } = scope
  if (principal.kind === 'session') await revoke(scope, principal.credential)
  const id = await insertCredential(db, {
    kind: 'session',
    secret_sha256: hashSecret(secret),
    participant_id: participant,
    organizer_id: organizer,
    label: describeBrowser(userAgent),
    created_at: now,
    expires_at: expiresAt,
    used_at: now,
  })
  await appendChange(scope, { kind: 'credential.created', record: id })
  cookies.push(sessionCookie(secret, { isStrict: organizer !== noOrganizer, maxAgeMs: expiresAt - now }))
  const row = await findUsableById(db, id)
  if (!row) throw new Error(`session ${id} of nobody`)
  return toPrincipal(row)
}

/** Ends the session with which the request was sent, if any, and has the response remove its cookie. */
export async function endSession(scope: WriteScope): Promise<void> {
  const { kind, credential } = scope.principal
  if (kind === 'session') await revoke(scope, credential)
  // A key was not sent in the cookie.
  else if (kind !== '') return
  scope.cookies.push(expiredSessionCookie)
}

async function revoke(scope: WriteScope, id: number): Promise<void> {
  if (await markRevoked(scope.db, id, scope.now)) await appendChange(scope, { kind: 'credential.revoked', record: id })
}
