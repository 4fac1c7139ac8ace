import type { Data } from '../../contract/index.ts'
import { noParticipant } from '../core/ids.ts'
import { getProfile } from '../participants/participants.ts'
import { readSharing } from '../participants/sharing.ts'
import type { PersonalScope } from '../scope.ts'

/** The sender of the request, with all that is stored of their profile. */
export async function getMe(scope: PersonalScope): Promise<Data<'getMe'>> {
  const { participant, roles } = scope.principal
  const isParticipant = participant !== noParticipant
  return {
    me: {
      participant: isParticipant ? await getProfile(scope, participant) : null,
      sharing: isParticipant ? await readSharing(scope, participant) : null,
      roles: [...roles],
    },
  }
}
