import Type from 'typebox'
import { Me } from './me.ts'
import { operation, record, Text } from './operation.ts'
import { FromBrowser, PasskeyRequest, parsedBy } from './passkeys.ts'

export const signIn = {
  redeemInvitation: operation({
    method: 'POST',
    path: '/api/sign-in/invitation',
    tag: 'Sign-in',
    summary: 'Sign in with an invitation',
    description:
      'Sets the cookie of a new session, and ends the session with which this is sent. An invitation can be used once.',
    access: { signIn: true },
    params: record({}),
    body: record({
      token: Text({ limit: 'text', description: 'The part of the link after #.', required: true }),
      email: Type.Optional(
        Text({ limit: 'text', description: 'The e-mail address of the first owner; required with a setup link.' }),
      ),
    }),
    data: record({ me: Me }),
    fails: ['INVITATION_INVALID', 'SUMMIT_ENDED'],
  }),
  startPasskeySignIn: operation({
    method: 'POST',
    path: '/api/sign-in/passkey/start',
    tag: 'Sign-in',
    summary: 'Start to sign in with a passkey',
    description: parsedBy('parseRequestOptionsFromJSON'),
    access: { signIn: true },
    params: record({}),
    data: record({ options: PasskeyRequest }),
    fails: [],
  }),
  signInWithPasskey: operation({
    method: 'POST',
    path: '/api/sign-in/passkey',
    tag: 'Sign-in',
    summary: 'Sign in with a passkey',
    description: 'Sets the cookie of a new session, and ends the session with which this is sent.',
    access: { signIn: true },
    params: record({}),
    body: record({
      id: FromBrowser('id'),
      client_data: FromBrowser('response.clientDataJSON'),
      authenticator_data: FromBrowser('response.authenticatorData'),
      signature: FromBrowser('response.signature'),
      user_handle: FromBrowser('response.userHandle'),
    }),
    data: record({ me: Me }),
    fails: ['PASSKEY_INVALID'],
  }),
}
