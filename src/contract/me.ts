import Type from 'typebox'
import { roles } from './access.ts'
import { Timestamp } from './envelope.ts'
import { Id, operation, record } from './operation.ts'
import { Organizer } from './organizers.ts'
import { ParticipantDetails } from './participants.ts'
import { Passkey } from './passkeys.ts'

/** Whoever is signed in. */
export const Me = record({
  participant: Type.Union([ParticipantDetails, Type.Null()], {
    description: 'The whole profile; null for an organizer who is not a participant.',
  }),
  organizer: Type.Union([Organizer, Type.Null()], {
    description: 'Null for a participant, and for a key that is not of one organizer.',
  }),
  roles: Type.Array(Type.Enum([...roles]), { description: 'The roles of an organizer; empty for a participant.' }),
})

/** The kinds of secrets with which somebody signs in or sends requests. */
export const credentialKinds = ['bearer', 'session', 'invitation'] as const

export type CredentialKind = (typeof credentialKinds)[number]

export const Credential = record({
  id: Type.String(),
  kind: Type.Enum([...credentialKinds], {
    description: 'bearer: a key. session: a browser. invitation: a link with which to sign in once.',
  }),
  label: Type.String({ description: 'What it is for.' }),
  created_at: Timestamp,
  used_at: Type.Unsafe<string>({ ...Timestamp, description: 'The last use, to the hour; of a session, more exactly.' }),
  expires_at: Type.Unsafe<string>({ ...Timestamp, description: 'All zeros if it does not expire.' }),
  is_current: Type.Boolean({ description: 'Whether this request was sent with it.' }),
})

export const me = {
  getMe: operation({
    method: 'GET',
    path: '/api/me',
    tag: 'Me',
    summary: 'Read who is signed in',
    access: { own: true },
    params: record({}),
    data: record({ me: Me }),
    fails: [],
  }),
  signOut: operation({
    method: 'POST',
    path: '/api/me/sign-out',
    tag: 'Me',
    summary: 'Sign out',
    description: 'Ends the session with which this is sent, and removes its cookie. A key stays valid.',
    access: { own: true },
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
    access: { own: true },
    params: record({}),
    data: record({ credentials: Type.Array(Credential), passkeys: Type.Array(Passkey) }),
    fails: [],
  }),
  revokeCredential: operation({
    method: 'DELETE',
    path: '/api/me/credentials/{credential_id}',
    tag: 'Me',
    summary: 'Revoke one of my sessions or keys',
    description: 'No request with it succeeds from then on.',
    access: { own: true },
    params: record({ credential_id: Id('credential', 'The session or key.') }),
    data: record({}),
    fails: ['CREDENTIAL_NOT_FOUND'],
  }),
}
