import { appendChange } from '../changes/log.ts'
import { Failure } from '../core/failure.ts'
import type { WriteScope } from '../scope.ts'
import { type Holder, insertCredential, markRedeemed } from './credential-store.ts'
import { revokeAllOf } from './keys.ts'
import { hashSecret, isSecret, newSecret } from './secret.ts'

interface NewInvitation extends Holder {
  /** In milliseconds since 1970. */
  expiresAt: number
}

/** Creates a secret with which somebody signs in once. It replaces earlier ones of the same holder. @returns the secret */
export async function createInvitation(
  scope: WriteScope,
  { participant, organizer, expiresAt }: NewInvitation,
): Promise<string> {
  const secret = newSecret()
  await revokeAllOf(scope, { participant, organizer }, 'invitation')
  const id = await insertCredential(scope.db, {
    kind: 'invitation',
    secret_sha256: hashSecret(secret),
    participant_id: participant,
    organizer_id: organizer,
    label: scope.principal.credential === 0 ? '' : 'Invited by an organizer',
    created_at: scope.now,
    expires_at: expiresAt,
  })
  await appendChange(scope, { kind: 'credential.created', record: id })
  return secret
}

/** Uses an invitation up. @returns whose it is, and how sessions that come from it are labelled @throws Failure INVITATION_INVALID if it is unknown, or was used before, or has expired */
export async function redeem(scope: WriteScope, secret: string): Promise<Holder & { label: string }> {
  const row = isSecret(secret) ? await markRedeemed(scope.db, hashSecret(secret), scope.now) : undefined
  if (!row) throw new Failure('INVITATION_INVALID')
  await appendChange(scope, { kind: 'credential.redeemed', record: row.id })
  return { participant: row.participant_id, organizer: row.organizer_id, label: row.label }
}
