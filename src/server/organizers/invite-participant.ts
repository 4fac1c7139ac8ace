import type { Data } from '../../contract/index.ts'
import { assertHasRoles } from '../access/authorize.ts'
import { createInvitation } from '../access/invitations.ts'
import { findRolesOf } from '../access/keys.ts'
import { noOrganizer, type ParticipantId } from '../core/ids.ts'
import { getProfile } from '../participants/participants.ts'
import { findEndOfAttendance } from '../program/summit-end.ts'
import type { WriteScope } from '../scope.ts'

/**
 * Creates a link with which a participant signs in once.
 * @throws Failure PARTICIPANT_NOT_FOUND, SUMMIT_ENDED, FORBIDDEN for one with a key that has roles, except by an owner
 */
export async function inviteParticipant(
  scope: WriteScope,
  participant: ParticipantId,
): Promise<Data<'inviteParticipant'>> {
  await getProfile(scope, participant)
  if ((await findRolesOf(scope, participant)).length > 0) assertHasRoles(scope.principal, ['owner'])
  const expiresAt = await findEndOfAttendance(scope)
  const secret = await createInvitation(scope, { participant, organizer: noOrganizer, expiresAt })
  return { invitation: { link: scope.links.signIn(secret), expires_at: scope.timestamp(expiresAt) } }
}
