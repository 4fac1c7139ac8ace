import Type from 'typebox'
import { roles } from './access.ts'
import { Timestamp } from './envelope.ts'
import { Id, operation, record, Text } from './operation.ts'

/** A person who runs the summit. */
export const Organizer = record({
  id: Type.String(),
  email: Type.String(),
  roles: Type.Array(Type.Enum([...roles])),
  created_at: Timestamp,
})

/** A link with which somebody signs in once. */
export const Invitation = record({
  link: Type.String({
    description: 'Returned once: empty in the response to a request that is repeated with the same Idempotency-Key.',
  }),
  expires_at: Timestamp,
})

const roleList = Text({
  limit: 'text',
  description: `One or more of ${roles.join(', ')}, separated by commas.`,
  required: true,
  examples: ['editor,moderator'],
})

const organizerId = Id('organizer', 'The organizer.')

export const organizers = {
  listOrganizers: operation({
    method: 'GET',
    path: '/api/organizers',
    tag: 'Organizers',
    summary: 'List the organizers',
    access: { organizers: 'owner' },
    params: record({}),
    data: record({ organizers: Type.Array(Organizer) }),
    fails: [],
  }),
  inviteOrganizer: operation({
    method: 'POST',
    path: '/api/organizers/invite',
    tag: 'Organizers',
    summary: 'Invite an organizer',
    description:
      'The link is valid for 14 days. Inviting somebody again changes their roles, and invalidates the earlier link.',
    access: { organizers: 'owner' },
    params: record({}),
    body: record({
      email: Text({
        limit: 'text',
        description: 'The e-mail address, in any case.',
        required: true,
        examples: ['eva@summit.example'],
      }),
      roles: roleList,
    }),
    data: record({ organizer: Organizer, invitation: Invitation }),
    secret: 'link',
    fails: ['LAST_OWNER'],
  }),
  changeOrganizerRoles: operation({
    method: 'PUT',
    path: '/api/organizers/{organizer_id}/roles',
    tag: 'Organizers',
    summary: 'Change the roles of an organizer',
    description: 'It takes effect with their next request.',
    access: { organizers: 'owner' },
    params: record({ organizer_id: organizerId }),
    body: record({ roles: roleList }),
    data: record({ organizer: Organizer }),
    fails: ['ORGANIZER_NOT_FOUND', 'LAST_OWNER'],
  }),
  removeOrganizer: operation({
    method: 'DELETE',
    path: '/api/organizers/{organizer_id}',
    tag: 'Organizers',
    summary: 'Remove an organizer',
    description: 'Their sessions, keys, passkeys and invitations end.',
    access: { organizers: 'owner' },
    params: record({ organizer_id: organizerId }),
    data: record({}),
    fails: ['ORGANIZER_NOT_FOUND', 'LAST_OWNER'],
  }),
  inviteParticipant: operation({
    method: 'POST',
    path: '/api/participants/{participantId}/invite',
    tag: 'Organizers',
    summary: 'Invite a participant',
    description:
      'A link with which the participant signs in once, to be shown as a QR code, valid until the summit ends. Inviting ' +
      'somebody again invalidates the earlier link. Only an owner invites a participant who holds a key with roles.',
    access: { organizers: 'desk', letsSignIn: 'participants' },
    params: record({ participantId: Id('participant', 'The participant.') }),
    data: record({ invitation: Invitation }),
    secret: 'link',
    fails: ['PARTICIPANT_NOT_FOUND', 'SUMMIT_ENDED'],
  }),
  setLoginEmail: operation({
    method: 'PUT',
    path: '/api/participants/{participantId}/login-email',
    tag: 'Organizers',
    summary: 'Set the address with which a participant signs in',
    description:
      'It is not the e-mail address in the profile. If it replaces another, codes that were sent before become ' +
      'invalid, and all sessions and invitations of the participant end.',
    access: { organizers: 'desk', letsSignIn: 'participants' },
    params: record({ participantId: Id('participant', 'The participant.') }),
    body: record({
      email: Text({
        limit: 'text',
        description: 'The e-mail address, in any case; an empty string removes it.',
        examples: ['eva@summit.example'],
      }),
    }),
    data: record({ login_email: Type.String({ description: 'In lower case; empty for none.' }) }),
    // Personal data, which would outlive an erasure.
    secret: 'login_email',
    fails: ['PARTICIPANT_NOT_FOUND', 'LOGIN_EMAIL_TAKEN'],
  }),
}
