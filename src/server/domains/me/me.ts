import type { FailureReason } from '../../../contract/failures.ts'
import type { Data } from '../../../contract/index.ts'
import { Failure } from '../../core/failure.ts'
import { noOrganizer, noParticipant } from '../../core/ids.ts'
import type { Principal } from '../../core/principal.ts'
import type { PersonalScope, Scope } from '../../scope.ts'
import { describeIdentity } from '../organizers/identities.ts'
import { getOrganizer } from '../organizers/organizers.ts'
import { findLoginEmail } from '../participants/login-emails.ts'
import { getProfile } from '../participants/participants.ts'
import { readSharing } from '../participants/sharing.ts'

/** The failures of a sender who was deleted or removed while the request was in progress. */
const ofSender: ReadonlySet<FailureReason> = new Set(['PARTICIPANT_NOT_FOUND', 'ORGANIZER_NOT_FOUND'])

/**
 * The sender of the request, with all that is stored of their profile.
 * @throws Failure UNAUTHENTICATED for a sender who was deleted or removed meanwhile
 */
export async function getMe(scope: PersonalScope): Promise<Data<'getMe'>> {
  try {
    return await describeMe(scope, scope.principal)
  } catch (error) {
    if (error instanceof Failure && ofSender.has(error.reason)) throw new Failure('UNAUTHENTICATED')
    throw error
  }
}

/** The person who is signed in, or has just signed in. */
export async function describeMe(scope: Scope, { participant, organizer, roles }: Principal): Promise<Data<'getMe'>> {
  const isParticipant = participant !== noParticipant
  return {
    me: {
      participant: isParticipant ? await getProfile(scope, participant) : null,
      sharing: isParticipant ? await readSharing(scope, participant) : null,
      organizer: organizer === noOrganizer ? null : await getOrganizer(scope, organizer),
      identity: organizer === noOrganizer ? null : await describeIdentity(scope, organizer),
      roles: [...roles],
      login_email: await findLoginEmail(scope.db, participant),
    },
  }
}
