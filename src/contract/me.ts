import Type, { type Static } from 'typebox'
import { roles } from './access.ts'
import { Timestamp } from './envelope.ts'
import { Id, operation, record, Text } from './operation.ts'
import { Organizer } from './organizers.ts'
import { ParticipantDetails, profile } from './participants.ts'
import { Passkey } from './passkeys.ts'

const shown = (description: string) => Type.Boolean({ description })

/** The parts of a profile that the directory shows to others. */
const Sharing = record({
  email: shown('Whether it shows the e-mail address.'),
  mobile_no: shown('Whether it shows the mobile number.'),
  employee_no: shown('Whether it shows the employee number.'),
  is_hidden: shown('Whether the participant is left out of it; their posts keep their name.'),
})
export type Sharing = Static<typeof Sharing>

/** The values of the setting `ERASE_POSTS`. */
export const postPolicies = ['delete', 'keep'] as const

export type PostPolicy = (typeof postPolicies)[number]

/** An account at an identity provider. */
const Identity = record({
  issuer: Type.String({ description: 'The identity provider.' }),
  subject: Type.String({ description: 'Identifies the account there.' }),
  name: Type.String({
    description: 'What the provider called it when it was connected, such as an e-mail address; empty if nothing.',
  }),
  connected_at: Timestamp,
})

/** The person who is signed in. */
export const Me = record({
  participant: Type.Union([ParticipantDetails, Type.Null()], {
    description: 'The whole profile; null for an organizer who is not a participant.',
  }),
  sharing: Type.Union([Sharing, Type.Null()], {
    description: 'What the directory shows of them to other participants; null likewise. Organizers see everything.',
  }),
  organizer: Type.Union([Organizer, Type.Null()], {
    description: 'Null for a participant, and for a key that is not of one organizer.',
  }),
  identity: Type.Union([Identity, Type.Null()], {
    description: 'The account with which an organizer signs in; null for none.',
  }),
  roles: Type.Array(Type.Enum([...roles]), { description: 'The roles of an organizer; empty for a participant.' }),
  login_email: Type.String({ description: 'The address with which a participant signs in; empty for none.' }),
})

/** The kinds of secrets with which somebody signs in or sends requests. */
export const credentialKinds = ['bearer', 'personal', 'app', 'session', 'invitation'] as const

export type CredentialKind = (typeof credentialKinds)[number]

export const Credential = record({
  id: Type.String(),
  kind: Type.Enum([...credentialKinds], {
    description:
      'bearer: a key. personal: the secret URL of a participant. app: that of an app. session: a browser, or an app in ' +
      'which somebody has signed in. ' +
      'invitation: a link with which to sign in once.',
  }),
  label: Type.String({
    description:
      'What it is for; of a session, the browser, or that it is of an app, and whether an organizer has invited.',
  }),
  created_at: Timestamp,
  used_at: Type.Unsafe<string>({ ...Timestamp, description: 'The last use, to the hour; of a session, more exactly.' }),
  expires_at: Type.Unsafe<string>({ ...Timestamp, description: 'All zeros if it does not expire.' }),
  is_current: Type.Boolean({ description: 'Whether this request was sent with it.' }),
})

const count = (description: string) => Type.Integer({ minimum: 0, description })

/** The records that are removed when a participant is erased. */
const Erasure = record({
  posts: Type.Enum([...postPolicies], {
    description:
      'The policy of the summit: delete removes topics with everything below them, and comments; keep leaves both without a name.',
  }),
  topics: count('Topics, including deleted ones.'),
  comments: count('Comments, including deleted ones.'),
  likes: count('Likes.'),
  files: count('Uploaded files and links; they are removed in either case.'),
  feedback: count('Feedback; not what they have entered for another, which stays without their name.'),
  stars: count('Stars of events.'),
  keys: count('Keys, sessions and invitations that can be used, and end at once.'),
  rebuild_minutes: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description:
      'The minutes within which the server rebuilds the file of its database, unless a backup is being made. Until then, the ' +
      'file may have copies of deleted values, which no response shows. Null if the operator does this.',
  }),
})
export type Erasure = Static<typeof Erasure>

export const me = {
  getMe: operation({
    method: 'GET',
    path: '/api/me',
    tag: 'Me',
    summary: 'Read who is signed in',
    access: { own: 'anyone', atSecretUrl: true },
    params: record({}),
    data: record({ me: Me }),
    fails: [],
  }),
  updateMe: operation({
    method: 'PUT',
    path: '/api/me',
    tag: 'Me',
    summary: 'Change the own profile',
    description:
      'An absent member stays as it is; an empty string clears it, as `GET /api/me` shows every member. E-mail address ' +
      'and employee number are changed by organizers: they may be as they are, or empty, which changes nothing.',
    access: { own: 'participants' },
    params: record({}),
    body: record(profile),
    data: record({ participant: ParticipantDetails }),
    fails: ['PARTICIPANT_NOT_FOUND'],
  }),
  exportOwnData: operation({
    method: 'GET',
    path: '/api/me/export',
    tag: 'Me',
    summary: 'Download everything stored about the person who is signed in',
    description: 'Returns a ZIP archive: profile, posts, likes and feedback as JSON, the uploaded files, and a README.',
    access: { own: 'participants' },
    params: record({}),
    fails: ['PARTICIPANT_NOT_FOUND'],
  }),
  planErasure: operation({
    method: 'GET',
    path: '/api/me/erasure',
    tag: 'Me',
    summary: 'Read what erasing oneself would remove',
    access: { own: 'participants' },
    params: record({}),
    data: record({ erasure: Erasure }),
    fails: ['PARTICIPANT_NOT_FOUND'],
  }),
  eraseOwnData: operation({
    method: 'POST',
    path: '/api/me/erasure',
    tag: 'Me',
    summary: 'Erase oneself for good',
    description:
      'Removes the profile, contacts, photos, likes, feedback, uploaded files and keys, and posts by the policy of the summit. ' +
      'Earlier backups still have them. A session must be a day old. It must not come from an invitation, or an ' +
      'address, by an organizer other than an owner, since that organizer may have used it. A key with roles ends ' +
      'only by a credential that has them.',
    access: { own: 'participants' },
    params: record({}),
    body: record({ participant_id: Id('participant', 'The own id, which confirms it.') }),
    data: record({ erasure: Erasure }),
    fails: ['PARTICIPANT_NOT_FOUND', 'SESSION_TOO_NEW', 'SESSION_FROM_DESK'],
  }),
  updateSharing: operation({
    method: 'PUT',
    path: '/api/me/sharing',
    tag: 'Me',
    summary: 'Choose what the directory shows to other participants',
    description: 'An absent member stays as it is. Nothing is shown until it is chosen.',
    access: { own: 'participants' },
    params: record({}),
    body: Type.Partial(Sharing, { additionalProperties: false }),
    data: record({ sharing: Sharing }),
    fails: ['PARTICIPANT_NOT_FOUND'],
  }),
  signOut: operation({
    method: 'POST',
    path: '/api/me/sign-out',
    tag: 'Me',
    summary: 'Sign out',
    description:
      'Ends the session with which this is sent, and removes its cookie. With a cookie, also if it has ended before.',
    access: { signIn: 'anyone' },
    params: record({}),
    data: record({}),
    fails: [],
  }),
  listCredentials: operation({
    method: 'GET',
    path: '/api/me/credentials',
    tag: 'Me',
    summary: 'List my sessions, keys and passkeys',
    description: 'Those that can be used; sessions and keys newest first. Only organizers have passkeys.',
    access: { own: 'anyone' },
    params: record({}),
    data: record({ credentials: Type.Array(Credential), passkeys: Type.Array(Passkey) }),
    fails: [],
  }),
  revokeCredential: operation({
    method: 'DELETE',
    path: '/api/me/credentials/{credential_id}',
    tag: 'Me',
    summary: 'Revoke one of my sessions or keys',
    description: 'No request with it succeeds from then on. A key with roles takes a credential that has them.',
    access: { own: 'anyone' },
    params: record({ credential_id: Id('credential', 'The session or key.') }),
    data: record({}),
    fails: ['CREDENTIAL_NOT_FOUND'],
  }),
  disconnectIdentity: operation({
    method: 'DELETE',
    path: '/api/me/identity',
    tag: 'Me',
    summary: 'Disconnect my account at the identity provider',
    description: 'It can no longer be used to sign in. Sessions stay valid. Without an account, nothing changes.',
    access: { own: 'anyone' },
    params: record({}),
    data: record({}),
    fails: [],
  }),
  requestLoginEmailChange: operation({
    method: 'POST',
    path: '/api/me/login-email/codes',
    tag: 'Me',
    summary: 'Ask for the codes that change the address with which I sign in',
    description:
      'Sends one code to the present address and one to the new one. It sets a cookie, without which they cannot be used.',
    access: { own: 'participants' },
    params: record({}),
    body: record({
      email: Text({
        limit: 'text',
        description: 'The new address, in any case.',
        required: true,
        examples: ['eva@summit.example'],
      }),
    }),
    data: record({}),
    fails: ['NO_MAIL', 'NO_LOGIN_EMAIL', 'TOO_MANY_ATTEMPTS'],
  }),
  changeLoginEmail: operation({
    method: 'PUT',
    path: '/api/me/login-email',
    tag: 'Me',
    summary: 'Change the address with which I sign in',
    description: 'With both codes, which the same browser has asked for, within 10 minutes.',
    access: { own: 'participants' },
    params: record({}),
    body: record({
      old_code: Text({ limit: 'text', description: 'From the mail to the present address.', required: true }),
      new_code: Text({ limit: 'text', description: 'From the mail to the new address.', required: true }),
    }),
    data: record({ me: Me }),
    fails: ['CODE_INVALID', 'LOGIN_EMAIL_TAKEN'],
  }),
}
