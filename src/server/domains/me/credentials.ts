import type { Data } from '../../../contract/index.ts'
import type { CredentialKind } from '../../../contract/me.ts'
import { listOwnCredentials, revokeCredential } from '../../auth/credentials.ts'
import { listPasskeys, startRegistration } from '../../auth/passkeys/passkeys.ts'
import { assertHasRoles } from '../../auth/policies.ts'
import { rolesOf } from '../../auth/roles.ts'
import { endSession } from '../../auth/sessions.ts'
import { Failure } from '../../core/failure.ts'
import type { CredentialId } from '../../core/ids.ts'
import type { PersonalScope, PreparationScope, WriteScope } from '../../scope.ts'
import type { Row } from '../../storage/db/tables.ts'
import { getOrganizer } from '../organizers/organizers.ts'

/** Succeeds also for a session that has ended: the request may be a retry. */
export async function signOut(scope: WriteScope): Promise<Data<'signOut'>> {
  await endSession(scope)
  return {}
}

export async function listCredentials(scope: PersonalScope): Promise<Data<'listCredentials'>> {
  const credentials = await listOwnCredentials(scope)
  return { credentials: credentials.map((row) => toCredential(row, scope)), passkeys: await listPasskeys(scope) }
}

/** @throws Failure CREDENTIAL_NOT_FOUND also for one of somebody else, FORBIDDEN for one with more roles */
export async function revokeOwnCredential(scope: WriteScope, id: CredentialId): Promise<Data<'revokeCredential'>> {
  const own = (await listOwnCredentials(scope)).find((credential) => credential.id === id)
  if (!own) throw new Failure('CREDENTIAL_NOT_FOUND')
  assertHasRoles(scope.principal, rolesOf(own.roles))
  if (id === scope.principal.credential) await endSession(scope)
  await revokeCredential(scope, id)
  return {}
}

const toCredential = (row: Row<'credential'>, { timestamp, principal }: PersonalScope) => ({
  id: String(row.id),
  kind: row.kind as CredentialKind,
  label: row.label,
  created_at: timestamp(row.created_at),
  used_at: timestamp(row.used_at),
  expires_at: timestamp(row.expires_at),
  is_current: row.id === principal.credential,
})

export async function startPasskeyRegistration(scope: PreparationScope): Promise<Data<'startPasskeyRegistration'>> {
  const { email } = await getOrganizer(scope, scope.principal.organizer)
  return startRegistration(scope, email)
}
