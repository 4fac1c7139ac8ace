import type { Role } from '../../contract/access.ts'
import type { CredentialKind } from '../../contract/me.ts'
import { appendChange } from '../changes/log.ts'
import { noOrganizer, noParticipant, type ParticipantId } from '../core/ids.ts'
import type { Db, Row } from '../db/tables.ts'
import { endedByRestore } from '../ledger/entries.ts'
import type { PersonalScope, WriteScope } from '../scope.ts'
import {
  changeScope,
  deleteCredentialsOf,
  type Holder,
  insertCredential,
  listCredentialRows,
  listUnrevoked,
  listUnrevokedOf,
  markRevoked,
} from './credential-store.ts'
import { rolesOf } from './roles.ts'
import { hashSecret, newSecret } from './secret.ts'
import { isIdle } from './session-limits.ts'

interface NewCredential {
  /** Its purpose, in the operator's words. */
  label: string
  /** In milliseconds since 1970; 0 if it does not expire. */
  expiresAt: number
}

interface NewKey extends NewCredential {
  /** The participant who acts with it; 0 for none. */
  participant: ParticipantId
  /** The roles of an organizer, who may be a participant, too. */
  roles: readonly Role[]
}

/** The secret is stored nowhere: only its hash is. */
export interface CreatedKey {
  id: number
  secret: string
}

/** Creates a key that a client sends in a header. */
export const createKey = (scope: WriteScope, { roles, ...key }: NewKey): Promise<CreatedKey> =>
  create(scope, 'bearer', { ...key, roles: roles.join(',') })

/** Creates an address at which a client acts as this participant. */
export const createPersonalAddress = (
  scope: WriteScope,
  address: NewCredential & { participant: ParticipantId },
): Promise<CreatedKey> => create(scope, 'personal', { ...address, roles: '' })

/** Creates the address of an app, one for all its users. */
export const createAppAddress = (
  scope: WriteScope,
  { mayChange, ...address }: NewCredential & { mayChange: boolean },
): Promise<CreatedKey> =>
  create(scope, 'app', { ...address, participant: noParticipant, roles: mayChange ? changeScope : '' })

async function create(
  scope: WriteScope,
  kind: CredentialKind,
  { label, participant, roles, expiresAt }: NewCredential & { participant: ParticipantId; roles: string },
): Promise<CreatedKey> {
  const secret = newSecret()
  const id = await insertCredential(scope.db, {
    kind,
    secret_sha256: hashSecret(secret),
    participant_id: participant,
    roles,
    label,
    created_at: scope.now,
    expires_at: expiresAt,
  })
  await appendChange(scope, { kind: 'credential.created', record: id })
  return { id, secret }
}

/** From then on no request with this key succeeds. @returns whether there was a key with this id that was not revoked */
export async function revokeKey(scope: WriteScope, id: number): Promise<boolean> {
  if (!(await markRevoked(scope.db, id, scope.now))) return false
  await appendChange(scope, { kind: 'credential.revoked', record: id })
  return true
}

/** Revokes everything that a restored backup must not bring back: sessions and invitations. @returns their ids */
export async function endSessions(scope: WriteScope): Promise<number[]> {
  const ids = await listUnrevoked(scope.db, endedByRestore)
  for (const id of ids) await revokeKey(scope, id)
  return ids
}

/** Revokes all credentials of a holder, or those of one kind. */
export async function revokeAllOf(scope: WriteScope, holder: Holder, kind?: CredentialKind): Promise<void> {
  for (const { id, ...credential } of await listUnrevokedOf(scope.db, holder))
    if (kind === undefined || credential.kind === kind) await revokeKey(scope, id)
}

/** The credentials of the sender that can be used, newest first. A key of nobody in particular has only itself. */
export async function listOwnCredentials({ db, now, principal }: PersonalScope): Promise<Row<'credential'>[]> {
  const all = await listUnrevokedOf(db, principal)
  const isOfSomebody = principal.participant !== noParticipant || principal.organizer !== noOrganizer
  return all
    .filter(({ id }) => isOfSomebody || id === principal.credential)
    .filter((credential) => (credential.expires_at === 0 || credential.expires_at > now) && !isIdle(credential, now))
}

/** The roles of the usable keys of a participant. */
export async function findRolesOf({ db, now }: PersonalScope, participant: ParticipantId): Promise<Role[]> {
  const all = await listUnrevokedOf(db, { participant, organizer: noOrganizer })
  return all.filter(({ expires_at }) => expires_at === 0 || expires_at > now).flatMap(({ roles }) => rolesOf(roles))
}

/** Deletes the keys of a participant for good; the caller logs the change. */
export const eraseKeys = ({ db }: WriteScope, participant: ParticipantId): Promise<void> =>
  deleteCredentialsOf(db, participant)

/** The keys and addresses that operators have created, also those that have ended, newest first. */
export const listKeys = (db: Db): Promise<Row<'credential'>[]> => listCredentialRows(db, ['bearer', 'personal', 'app'])
