import type { Data } from '../../../contract/index.ts'
import { revokeCredential } from '../../auth/credentials.ts'
import { findInvitation, findLabelOf, type InvitedHolder, nobody, redeem } from '../../auth/invitations.ts'
import { organizerSessionMs } from '../../auth/session-limits.ts'
import { startSession } from '../../auth/sessions.ts'
import { maySignIn } from '../../auth/sign-ins-from-desk.ts'
import { findSessionStarted, storeSessionStarted } from '../../auth/started-sessions.ts'
import { Failure, invalidField } from '../../core/failure.ts'
import { noOrganizer, noParticipant, type OrganizerId } from '../../core/ids.ts'
import { dayMs } from '../../core/time-units.ts'
import type { HandlerInput } from '../../operation.ts'
import type { PreparationScope, WriteScope } from '../../scope.ts'
import { describeMe } from '../me/me.ts'
import { findOrganizerOf, type Identity } from '../organizers/identities.ts'
import { hasOwner, saveOrganizer } from '../organizers/organizers.ts'
import { findEndOfAttendance } from '../program/summit-end.ts'

/** How long participants stay signed in after the summit. */
export const afterSummitMs = 14 * dayMs

/**
 * Signs in the person who was invited. An invalid token is refused before the transaction, so that it holds up no other
 * write.
 * @throws Failure INVITATION_INVALID, SUMMIT_ENDED, VALIDATION_FAILED
 */
export async function prepareRedeemInvitation(
  preparation: PreparationScope,
  { token, email }: HandlerInput<'redeemInvitation'>,
): Promise<(scope: WriteScope) => Promise<Data<'redeemInvitation'>>> {
  // People also paste the whole link.
  const secret = token.slice(token.indexOf('#') + 1).trim()
  if (!(await findInvitation(preparation, secret)) && !(await findSessionStarted(preparation, secret)))
    throw new Failure('INVITATION_INVALID')
  return (scope) => redeemInvitation(scope, secret, email)
}

/** A retry starts the session again, as its cookie may have been lost with the response. */
async function redeemInvitation(
  scope: WriteScope,
  secret: string,
  email: string | undefined,
): Promise<Data<'redeemInvitation'>> {
  const started = await findSessionStarted(scope, secret)
  if (started) await revokeCredential(scope, started.id)
  const { participant, organizer, isIssuedByDesk } = started
    ? { participant: started.participant_id, organizer: started.organizer_id, isIssuedByDesk: started.from_desk === 1 }
    : await findInvited(scope, secret, email)
  const maySignInHere = participant === noParticipant || scope.participantsSignIn
  // Rolled back, the invitation can still be used once participants sign in.
  if (!maySignInHere || !(await maySignIn(scope, { participant, isIssuedByDesk })))
    throw new Failure('INVITATION_INVALID')
  const expiresAt =
    organizer === noOrganizer ? await findEndOfAttendance(scope, afterSummitMs) : scope.now + organizerSessionMs
  const label = await findLabelOf(scope.db, secret)
  const { principal } = await startSession(scope, { participant, organizer, label, isIssuedByDesk, expiresAt })
  await storeSessionStarted(scope, secret, principal.credential)
  return describeMe(scope, principal)
}

async function findInvited(scope: WriteScope, secret: string, email: string | undefined): Promise<InvitedHolder> {
  const invited = await redeem(scope, secret)
  return invited === 'setup'
    ? { ...nobody, organizer: await addFirstOwner(scope, email), isIssuedByDesk: false }
    : invited
}

/** @throws Failure INVITATION_INVALID if there is an owner by now, VALIDATION_FAILED */
async function addFirstOwner(scope: WriteScope, email: string | undefined): Promise<OrganizerId> {
  if (await hasOwner(scope.db)) throw new Failure('INVITATION_INVALID')
  if (email !== undefined) return saveOrganizer(scope, email, ['owner'])
  throw invalidField('email', 'REQUIRED', 'email is required with a setup link.')
}

/** Signs in the organizer who has connected an account. @returns false if none has, or they have been removed */
export async function signInWithIdentity(scope: WriteScope, identity: Identity): Promise<boolean> {
  const organizer = await findOrganizerOf(scope.db, identity)
  if (organizer === undefined) return false
  const expiresAt = scope.now + organizerSessionMs
  await startSession(scope, { participant: noParticipant, organizer, expiresAt })
  return true
}
