import type { Data } from '../../contract/index.ts'
import { noParticipant } from '../core/ids.ts'
import { getProfile } from '../participants/participants.ts'
import type { PersonalScope } from '../scope.ts'

/** The sender of the request, with all that is stored of their profile. */
export async function getMe(scope: PersonalScope): Promise<Data<'getMe'>> {
  const { participant, roles } = scope.principal
  return {
    me: { participant: participant === noParticipant ? null : await getProfile(scope, participant), roles: [...roles] },
  }
}
