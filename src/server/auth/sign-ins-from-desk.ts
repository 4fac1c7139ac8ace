import { noOrganizer, type ParticipantId } from '../core/ids.ts'
import { appendChange } from '../log/changes/log.ts'
import type { WriteScope } from '../scope.ts'
import { eraseCodes } from './codes.ts'
import { listUnrevokedOf } from './credential-store.ts'
import { findRolesOf, revokeCredential } from './credentials.ts'
import { deleteLogin, listLogins } from './login-store.ts'

// An organizer other than an owner may let a participant sign in who holds no key with roles (`assertMayLetSignIn`). The
// participant may get such a key later.

/**
 * Whether somebody may sign in as a participant in the way that was given to them.
 * @param isIssuedByDesk see `CredentialTable`
 */
export const maySignIn = async (
  scope: Pick<WriteScope, 'db' | 'now'>,
  { participant, isIssuedByDesk }: { participant: ParticipantId; isIssuedByDesk: boolean },
): Promise<boolean> => !isIssuedByDesk || (await findRolesOf(scope, participant)).length === 0

/**
 * Ends the sessions, the invitation and the address of a participant that come from organizers other than owners.
 * @returns whether there were any
 */
export async function endSignInsFromDesk(scope: WriteScope, participant: ParticipantId): Promise<boolean> {
  const credentials = await listUnrevokedOf(scope.db, { participant, organizer: noOrganizer })
  const ofDesk = credentials.filter(({ from_desk }) => from_desk === 1)
  for (const { id } of ofDesk) await revokeCredential(scope, id)
  const [login] = await listLogins(scope.db, [participant])
  if (login?.from_desk !== 1) return ofDesk.length > 0
  await eraseCodes(scope, participant, [login.email])
  await deleteLogin(scope.db, participant)
  await appendChange(scope, { kind: 'login.changed', record: participant })
  return true
}
