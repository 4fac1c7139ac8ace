import { isFuture } from '../core/clock.ts'
import { Failure } from '../core/failure.ts'
import { noOrganizer, noParticipant } from '../core/ids.ts'
import { appendChange } from '../log/changes/log.ts'
import type { WriteScope } from '../scope.ts'
import type { Db, Row } from '../storage/db/tables.ts'
import {
  findLabel,
  findUsable,
  type Holder,
  insertCredential,
  markRedeemed,
  setupScope,
  type UsableCredential,
} from './credential-store.ts'
import { revokeCredentialsOf } from './credentials.ts'
import { isIssuedByDesk } from './policies.ts'
import { hashSecret, isSecret, newSecret } from './secret.ts'

/** The holder whom an invitation signs in; `setup` if they become the first owner. */
type Invitee = InvitedHolder | typeof setupScope

export interface InvitedHolder extends Holder {
  /** See `CredentialTable`. */
  isIssuedByDesk: boolean
}

/** The holder of the invitation that is nobody's. */
export const nobody: Holder = { participant: noParticipant, organizer: noOrganizer }

/**
 * Creates a secret with which somebody signs in once. It replaces earlier ones of the same holder.
 * @param expiresAt in milliseconds since 1970
 * @returns the secret
 */
export const createInvitation = (
  scope: WriteScope,
  { expiresAt, ...holder }: Holder & { expiresAt: number },
): Promise<string> => create(scope, holder, '', expiresAt)

/** Creates a secret with which the first owner signs in once; likewise. */
export const createSetupInvitation = (scope: WriteScope, expiresAt: number): Promise<string> =>
  create(scope, nobody, setupScope, expiresAt)

async function create(scope: WriteScope, holder: Holder, roles: string, expiresAt: number): Promise<string> {
  const secret = newSecret()
  await revokeCredentialsOf(scope, holder, 'invitation')
  const id = await insertCredential(scope.db, {
    kind: 'invitation',
    secret_sha256: hashSecret(secret),
    participant_id: holder.participant,
    organizer_id: holder.organizer,
    roles,
    label: scope.principal.credential === 0 ? '' : 'Invited by an organizer',
    from_desk: Number(isIssuedByDesk(scope.principal)),
    created_at: scope.now,
    expires_at: expiresAt,
  })
  await appendChange(scope, { kind: 'credential.created', record: id })
  return secret
}

/** Whether an invitation has not expired. One that a wrong clock has dated in the future would be valid for too long. */
export const isOpen = (
  { created_at, expires_at }: Pick<Row<'credential'>, 'created_at' | 'expires_at'>,
  now: number,
): boolean => expires_at > now && !isFuture(created_at, now)

/** Finds an invitation that can be used, of somebody who is still there. */
export async function findInvitation(
  { db, now }: Pick<WriteScope, 'db' | 'now'>,
  secret: string,
): Promise<UsableCredential | undefined> {
  const row = isSecret(secret) ? await findUsable(db, hashSecret(secret)) : undefined
  if (row?.kind !== 'invitation' || !isOpen(row, now)) return undefined
  const isNobodys = row.participant_id === noParticipant && row.organizer_id === noOrganizer
  return isNobodys === (row.roles === setupScope) ? row : undefined
}

/** Uses an invitation up. @throws Failure INVITATION_INVALID if it is unknown, or was used before, or has expired */
export async function redeem(scope: WriteScope, secret: string): Promise<Invitee> {
  const row = await findInvitation(scope, secret)
  if (!row || !(await markRedeemed(scope.db, row.id, scope.now))) throw new Failure('INVITATION_INVALID')
  await appendChange(scope, { kind: 'credential.redeemed', record: row.id })
  if (row.roles === setupScope) return setupScope
  return { participant: row.participant_id, organizer: row.organizer_id, isIssuedByDesk: row.from_desk === 1 }
}

/** How sessions that come from an invitation are labelled; '' for no label. It may have been used. */
export const findLabelOf = (db: Db, secret: string): Promise<string> => findLabel(db, hashSecret(secret))
