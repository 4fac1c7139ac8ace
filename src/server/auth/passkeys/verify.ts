import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { passkeyAlgorithms } from '../../../contract/passkeys.ts'
import { Failure } from '../../core/failure.ts'
import type { Links } from '../../core/links.ts'
import type { Row } from '../../storage/db/tables.ts'

/** The challenge and origin for which a browser's response must have been made. */
interface Expected {
  challenge: string
  /** Of `PUBLIC_URL`, never of a header. */
  links: Links
}

/** The site for which a passkey is valid: the host of `PUBLIC_URL`. */
export const relyingPartyOf = ({ base }: Links): string => new URL(base).hostname

const expectationsOf = ({ challenge, links }: Expected) => ({
  expectedChallenge: challenge,
  expectedOrigin: new URL(links.base).origin,
  expectedRPID: relyingPartyOf(links),
  requireUserVerification: true,
})

export type NewPasskey = Pick<Row<'passkey'>, 'webauthn_id' | 'public_key' | 'counter'>

/** @param response of which `id` and the members of `response` come from the client @throws Failure PASSKEY_INVALID */
export async function verifyRegistration(expected: Expected, response: RegistrationResponseJSON): Promise<NewPasskey> {
  const { registrationInfo } = await accept(async () => {
    const [{ verifyRegistrationResponse }, { decodeAttestationObject, isoBase64URL }] = await Promise.all([
      import('@simplewebauthn/server'),
      import('@simplewebauthn/server/helpers'),
    ])
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.response.attestationObject))
    // To check the certificate of a device, the package would connect to the server that the certificate names.
    const isSelfAttestation = attestation.get('fmt') === 'packed' && attestation.get('attStmt').get('x5c') === undefined
    if (attestation.get('fmt') !== 'none' && !isSelfAttestation) throw new Failure('PASSKEY_INVALID')
    return verifyRegistrationResponse({
      response,
      ...expectationsOf(expected),
      supportedAlgorithmIDs: passkeyAlgorithms,
    })
  })
  if (!registrationInfo) throw new Failure('PASSKEY_INVALID')
  const { id, publicKey, counter } = registrationInfo.credential
  return { webauthn_id: id, public_key: Buffer.from(publicKey).toString('base64url'), counter }
}

/**
 * Verifies a sign-in.
 * @returns the new counter, which is above the previous one, unless both are 0
 * @throws Failure PASSKEY_INVALID
 */
export async function verifySignIn(
  expected: Expected,
  { webauthn_id, public_key, counter }: Row<'passkey'>,
  response: AuthenticationResponseJSON,
): Promise<number> {
  const { verified, authenticationInfo } = await accept(async () => {
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
    const publicKey = Uint8Array.from(Buffer.from(public_key, 'base64url'))
    const credential = { id: webauthn_id, publicKey, counter }
    return verifyAuthenticationResponse({ response, credential, ...expectationsOf(expected) })
  })
  if (!verified) throw new Failure('PASSKEY_INVALID')
  return authenticationInfo.newCounter
}

/** The package throws an error for anything unexpected, with words of the client in its message. */
async function accept<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify()
  } catch {
    throw new Failure('PASSKEY_INVALID')
  }
}
