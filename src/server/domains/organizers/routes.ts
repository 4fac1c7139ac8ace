import type { organizers } from '../../../contract/organizers.ts'
import type { Handlers } from '../../operation.ts'
import { inviteParticipant } from './invite-participant.ts'
import { changeOrganizerRoles, inviteOrganizer, listOrganizers, removeOrganizer } from './organizers.ts'
import { setLoginEmail } from './set-login-email.ts'

export const organizersRoutes: Handlers<keyof typeof organizers> = {
  listOrganizers,
  inviteOrganizer,
  changeOrganizerRoles,
  removeOrganizer: (scope, { organizer_id }) => removeOrganizer(scope, organizer_id),
  inviteParticipant: (scope, { participantId }) => inviteParticipant(scope, participantId),
  setLoginEmail,
}
