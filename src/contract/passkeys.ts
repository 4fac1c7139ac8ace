import Type from 'typebox'
import { Timestamp } from './envelope.ts'
import { Id, operation, record, Text } from './operation.ts'

/** A key pair in a device or a password manager (WebAuthn), with which an organizer signs in without a link. */
export const Passkey = record({
  id: Type.String(),
  label: Type.String(),
  created_at: Timestamp,
  used_at: Type.Unsafe<string>({ ...Timestamp, description: 'The last sign-in; all zeros if there was none.' }),
})

/** The algorithms of a passkey, by their COSE numbers: Ed25519, ES256 and RS256, which together all devices support. */
export const passkeyAlgorithms = [-8, -7, -257]

/** @param method of the browser that reads what an operation returns */
export const parsedBy = (method: string) =>
  `For \`PublicKeyCredential.${method}()\` of the browser (https://www.w3.org/TR/webauthn-3/). Valid for 10 minutes, once, in ` +
  'the browser that has asked for it.'

const PasskeyType = Type.Literal('public-key')

/** The options for a browser to create a passkey: `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
export const PasskeyCreation = record({
  challenge: Type.String(),
  rp: record({ id: Type.String(), name: Type.String() }),
  user: record({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(record({ type: PasskeyType, alg: Type.Integer() })),
  timeout: Type.Integer({ description: 'In milliseconds.' }),
  excludeCredentials: Type.Array(
    record({ type: PasskeyType, id: Type.String(), transports: Type.Array(Type.String()) }),
  ),
  authenticatorSelection: record({
    residentKey: Type.Literal('required'),
    requireResidentKey: Type.Literal(true),
    userVerification: Type.Literal('required'),
  }),
  attestation: Type.Literal('none'),
})

/** The options for a browser to sign in with a passkey: `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
export const PasskeyRequest = record({
  challenge: Type.String(),
  rpId: Type.String(),
  timeout: Type.Integer({ description: 'In milliseconds.' }),
  userVerification: Type.Literal('required'),
})

/** A member of what `toJSON()` of the browser's credential returns. */
export const FromBrowser = (member: string) =>
  Type.String({ format: 'text', maxLength: 8_192, description: `\`${member}\` of the credential, in base64url.` })

/** Operations of organizers about their own passkeys. */
export const ownPasskeys = {
  startPasskeyRegistration: operation({
    method: 'POST',
    path: '/api/me/passkeys/start',
    tag: 'Me',
    summary: 'Start to add a passkey',
    description: parsedBy('parseCreationOptionsFromJSON'),
    access: { own: 'anyone', session: 'organizer' },
    params: record({}),
    data: record({ options: PasskeyCreation }),
    fails: [],
  }),
  registerPasskey: operation({
    method: 'POST',
    path: '/api/me/passkeys',
    tag: 'Me',
    summary: 'Add a passkey',
    access: { own: 'anyone', session: 'organizer' },
    params: record({}),
    body: record({
      label: Text({ limit: 'text', description: 'The device, in the words of its owner.', required: true }),
      id: FromBrowser('id'),
      client_data: FromBrowser('response.clientDataJSON'),
      attestation: FromBrowser('response.attestationObject'),
      transports: Type.Optional(
        Text({
          limit: 'text',
          description: '`response.transports`, separated by commas.',
          examples: ['internal,hybrid'],
        }),
      ),
    }),
    data: record({ passkey: Passkey }),
    fails: ['PASSKEY_INVALID'],
  }),
  removePasskey: operation({
    method: 'POST',
    path: '/api/me/passkeys/{passkey_id}/remove',
    tag: 'Me',
    summary: 'Remove one of my passkeys',
    description: 'Nobody signs in with it from then on.',
    access: { own: 'anyone', session: 'organizer' },
    params: record({ passkey_id: Id('passkey', 'The passkey.') }),
    body: record({
      end_sessions: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 1,
          description: '1 also ends the sessions that were started with it, which otherwise go on.',
        }),
      ),
    }),
    data: record({}),
    fails: ['PASSKEY_NOT_FOUND'],
  }),
}
