import type { Data } from '../../contract/index.ts'
import { assertMayLetSignIn } from '../access/authorize.ts'
import { createInvitation } from '../access/invitations.ts'
import { noOrganizer, type ParticipantId } from '../core/ids.ts'
import { getProfile } from '../participants/participants.ts'
import { findEndOfAttendance } from '../program/summit-end.ts'
import type { WriteScope } from '../scope.ts'

/**
 * Creates a link with which a participant signs in once.
 * @throws Failure PARTICIPANT_NOT_FOUND, SUMMIT_ENDED, FORBIDDEN, see `assertMayLetSignIn`
 */
export async function inviteParticipant(
  scope: WriteScope,
  participant: ParticipantId,
): Promise<Data<'inviteParticipant'>> {
  await getProfile(scope, participant)
  await assertMayLetSignIn(scope, participant)
  const expiresAt = await findEndOfAttendance(scope)
  const secret = await createInvitation(scope, { participant, organizer: noOrganizer, expiresAt })
  return { invitation: { link: scope.links.signIn(secret), expires_at: scope.timestamp(expiresAt) } }
}
