import type { Data } from '../../contract/index.ts'
import { redeem } from '../access/invitations.ts'
import { dayMs, organizerSessionMs } from '../access/session-limits.ts'
import { startSession } from '../access/sessions.ts'
import { Failure } from '../core/failure.ts'
import { noOrganizer, noParticipant, type OrganizerId } from '../core/ids.ts'
import { describeMe } from '../me/me.ts'
import type { HandlerInput } from '../operation.ts'
import { hasOwner, saveOrganizer } from '../organizers/organizers.ts'
import { findEndOfAttendance } from '../program/summit-end.ts'
import type { WriteScope } from '../scope.ts'

/** How long participants stay signed in after the summit. */
export const afterSummitMs = 14 * dayMs

/** Signs in whoever was invited. @throws Failure INVITATION_INVALID, SUMMIT_ENDED, VALIDATION_FAILED */
export async function redeemInvitation(
  scope: WriteScope,
  { token, email }: HandlerInput<'redeemInvitation'>,
): Promise<Data<'redeemInvitation'>> {
  const { participant, organizer: known, label } = await redeem(scope, token.trim())
  const isSetup = participant === noParticipant && known === noOrganizer
  const organizer = isSetup ? await addFirstOwner(scope, email) : known
  const expiresAt =
    organizer === noOrganizer ? await findEndOfAttendance(scope, afterSummitMs) : scope.now + organizerSessionMs
  const principal = await startSession(scope, { participant, organizer, label, expiresAt })
  return describeMe(scope, principal)
}

/** @throws Failure INVITATION_INVALID if there is an owner by now, VALIDATION_FAILED */
async function addFirstOwner(scope: WriteScope, email: string | undefined): Promise<OrganizerId> {
  if (await hasOwner(scope.db)) throw new Failure('INVITATION_INVALID')
  if (email !== undefined) return saveOrganizer(scope, email, ['owner'])
  const message = 'email is required with a setup link.'
  throw new Failure('VALIDATION_FAILED', { fields: [{ field: 'email', in: 'body', reason: 'REQUIRED', message }] })
}
