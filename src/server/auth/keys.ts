import type { Role } from '../../contract/access.ts'
import type { CredentialKind } from '../../contract/me.ts'
import { noParticipant, type ParticipantId } from '../core/ids.ts'
import { appendChange } from '../log/changes/log.ts'
import type { WriteScope } from '../scope.ts'
import type { Db, Row } from '../storage/db/tables.ts'
import { changeScope, insertCredential, listCredentialRows } from './credential-store.ts'
import { hashSecret, newSecret } from './secret.ts'
import { endSignInsFromDesk } from './sign-ins-from-desk.ts'

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

/**
 * Creates a key that a client sends in a header. Only an owner may let a participant sign in who holds one with roles, so
 * what other organizers have given out ends.
 */
export async function createKey(
  scope: WriteScope,
  { roles, ...key }: NewKey,
): Promise<CreatedKey & { endedSignIns: boolean }> {
  const isOrganizer = roles.length > 0 && key.participant !== noParticipant
  const endedSignIns = isOrganizer && (await endSignInsFromDesk(scope, key.participant))
  return { ...(await create(scope, 'bearer', { ...key, roles: roles.join(',') })), endedSignIns }
}

/** Creates a secret URL at which a client acts as this participant. */
export const createPersonalUrl = (
  scope: WriteScope,
  key: NewCredential & { participant: ParticipantId },
): Promise<CreatedKey> => create(scope, 'personal', { ...key, roles: '' })

/** Creates the secret URL of an app, one for all its users. */
export const createAppUrl = (
  scope: WriteScope,
  { mayChange, ...key }: NewCredential & { mayChange: boolean },
): Promise<CreatedKey> =>
  create(scope, 'app', { ...key, participant: noParticipant, roles: mayChange ? changeScope : '' })

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

/** The keys and secret URLs that operators have created, also those that have ended, newest first. */
export const listKeys = (db: Db): Promise<Row<'credential'>[]> => listCredentialRows(db, ['bearer', 'personal', 'app'])
