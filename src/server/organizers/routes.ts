import type { organizers } from '../../contract/organizers.ts'
import type { Handlers } from '../operation.ts'
import { setLoginEmail } from '../participants/login-emails.ts'
import { inviteParticipant } from './invite-participant.ts'
import { changeOrganizerRoles, inviteOrganizer, listOrganizers, removeOrganizer } from './organizers.ts'

export const organizersRoutes: Handlers<keyof typeof organizers> = {
  listOrganizers: (_input, scope) => listOrganizers(scope),
  inviteOrganizer: (input, scope) => inviteOrganizer(scope, input),
  changeOrganizerRoles: (input, scope) => changeOrganizerRoles(scope, input),
  removeOrganizer: ({ organizer_id }, scope) => removeOrganizer(scope, organizer_id),
  inviteParticipant: ({ participantId }, scope) => inviteParticipant(scope, participantId),
  setLoginEmail: async ({ participantId, email }, scope) => ({
    login_email: await setLoginEmail(scope, participantId, email),
  }),
}
