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
    access: { signIn: 'anyone' },
    params: record({}),
    body: record({
      token: Text({ limit: 'text', description: 'The part of the link after #.', required: true }),
      email: Type.Optional(
        Text({
          limit: 'text',
          description: 'The e-mail address of the first owner; required with a setup link.',
          examples: ['eva@summit.example'],
        }),
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
    access: { signIn: 'anyone' },
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
    access: { signIn: 'anyone' },
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
  requestSignInCode: operation({
    method: 'POST',
    path: '/api/sign-in/code',
    tag: 'Sign-in',
    summary: 'Ask for a code by e-mail',
    description:
      'Sends 8 digits to a participant who signs in with this address. The response is the same if nobody does. It sets a ' +
      'cookie, without which the code cannot be used, and invalidates the code that the same browser asked for before.',
    access: { signIn: 'participants' },
    params: record({}),
    body: record({
      email: Text({
        limit: 'text',
        description: 'The e-mail address, in any case.',
        required: true,
        examples: ['eva@summit.example'],
      }),
    }),
    data: record({}),
    fails: ['NO_MAIL', 'SUMMIT_ENDED', 'TOO_MANY_ATTEMPTS'],
  }),
  redeemSignInCode: operation({
    method: 'POST',
    path: '/api/sign-in/code/redeem',
    tag: 'Sign-in',
    summary: 'Sign in with a code',
    description:
      'For the browser or app that has asked for the code, within 10 minutes; a code can be used once. Sets the cookie of ' +
      'a new session, or returns its secret, and ends the session with which this is sent.',
    access: { signIn: 'participants' },
    params: record({}),
    body: record({
      code: Text({ limit: 'text', description: 'The digits; spaces do not matter.', required: true }),
      bearer: Type.Optional(
        Type.Boolean({ description: 'Whether to return the secret of the session, for an app, and set no cookie.' }),
      ),
    }),
    data: record({
      me: Me,
      token: Type.Optional(
        Type.String({
          description: 'The secret of the session, to be sent as `Authorization: Bearer`; only if `bearer` is true.',
        }),
      ),
    }),
    fails: ['CODE_INVALID', 'SUMMIT_ENDED'],
  }),
}
