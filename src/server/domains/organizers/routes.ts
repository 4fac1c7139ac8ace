import type { organizers } from '../../../contract/organizers.ts'
import type { Handlers } from '../../operation.ts'
import { inviteParticipant, setLoginEmail } from './invite-participant.ts'
import { changeOrganizerRoles, inviteOrganizer, listOrganizers, removeOrganizer } from './organizers.ts'

export const organizersRoutes: Handlers<keyof typeof organizers> = {
  listOrganizers,
  inviteOrganizer,
  changeOrganizerRoles,
  removeOrganizer: (scope, { organizer_id }) => removeOrganizer(scope, organizer_id),
  inviteParticipant: (scope, { participantId }) => inviteParticipant(scope, participantId),
  setLoginEmail,
}
