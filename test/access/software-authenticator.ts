import { createHash, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto'
import type { Data, Input } from '../../src/contract/index.ts'
import { certificate } from '../tls.ts'

// An authenticator and a browser (WebAuthn), which can also misbehave.

type CreationOptions = Data<'startPasskeyRegistration'>['options']
type RequestOptions = Data<'startPasskeySignIn'>['options']

/** How a response differs from that of an honest browser and device. */
export interface Deviation {
  origin?: string
  rpId?: string
  isUserVerified?: boolean
  counter?: number
  challenge?: string
  /** The type of the client data. */
  type?: string
  id?: string
  user_handle?: string
  signature?: Buffer
  /**
   * The signer of the attestation that the passkey is of this device: the passkey itself, or the maker of the device
   * with a certificate.
   */
  attestation?: 'own key' | 'certificate'
}

export interface SoftwareAuthenticator {
  readonly id: string
  register(options: CreationOptions, deviation?: Deviation): Omit<Input<'registerPasskey'>, 'label'>
  signIn(options: RequestOptions, deviation?: Deviation): Input<'signInWithPasskey'>
}

const attestationFormats = { none: 'none', 'own key': 'packed', certificate: 'fido-u2f' } as const

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()

/** @param origin of the page in the browser */
export function createAuthenticator(origin: string, webauthnId = randomBytes(16)): SoftwareAuthenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = webauthnId.toString('base64url')
  let used = 0
  let userHandle = ''
  const clientData = (type: string, challenge: string, deviation: Deviation): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: deviation.type ?? type,
        challenge: deviation.challenge ?? challenge,
        origin: deviation.origin ?? origin,
        crossOrigin: false,
      }),
    )
  /** https://www.w3.org/TR/webauthn-3/#sctn-authenticator-data */
  const authenticatorData = (
    rpId: string,
    { isUserVerified = true, ...deviation }: Deviation,
    key?: Buffer,
  ): Buffer => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(deviation.counter ?? used++)
    const flags = 0x01 | (isUserVerified ? 0x04 : 0) | (key ? 0x40 : 0)
    return Buffer.concat([sha256(deviation.rpId ?? rpId), Buffer.from([flags]), counter, key ?? Buffer.alloc(0)])
  }
  return {
    id,
    register: ({ challenge, rp, user }, deviation = {}) => {
      userHandle = user.id
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      // A COSE key (RFC 9052): kty EC2, alg ES256, crv P-256.
      const key = cbor(
        new Map<unknown, unknown>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      )
      const length = Buffer.from([webauthnId.length >> 8, webauthnId.length & 0xff])
      const attested = Buffer.concat([Buffer.alloc(16), length, webauthnId, key])
      const client = clientData('webauthn.create', challenge, deviation)
      const authData = authenticatorData(rp.id, deviation, attested)
      const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
      const signedByMaker = [Buffer.from([0]), authData.subarray(0, 32), sha256(client), webauthnId, point]
      const statements = {
        none: [],
        packed: [
          ['alg', -7],
          ['sig', sign('sha256', Buffer.concat([authData, sha256(client)]), privateKey)],
        ],
        'fido-u2f': [
          ['x5c', [new X509Certificate(certificate.cert).raw]],
          ['sig', sign('sha256', Buffer.concat(signedByMaker), certificate.key)],
        ],
      } satisfies Record<string, [string, unknown][]>
      const format = attestationFormats[deviation.attestation ?? 'none']
      const attestation = cbor(
        new Map<unknown, unknown>([
          ['fmt', format],
          ['attStmt', new Map<unknown, unknown>(statements[format])],
          ['authData', authData],
        ]),
      )
      return {
        id,
        client_data: client.toString('base64url'),
        attestation: attestation.toString('base64url'),
        transports: 'internal',
      }
    },
    signIn: ({ challenge, rpId }, deviation = {}) => {
      const data = authenticatorData(rpId, deviation)
      const client = clientData('webauthn.get', challenge, deviation)
      const signature = deviation.signature ?? sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return {
        id: deviation.id ?? id,
        client_data: client.toString('base64url'),
        authenticator_data: data.toString('base64url'),
        signature: signature.toString('base64url'),
        user_handle: deviation.user_handle ?? userHandle,
      }
    },
  }
}

/** Encodes integers, strings, bytes, lists and maps, each shorter than 65,536 (RFC 8949). */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value])
  if (typeof value === 'string') return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Array.isArray(value)) return Buffer.concat([cborHead(4, value.length), ...value.map(cbor)])
  if (value instanceof Map)
    return Buffer.concat([cborHead(5, value.size), ...[...value].flatMap(([key, member]) => [cbor(key), cbor(member)])])
  throw new TypeError(`no CBOR for ${typeof value}`)
}

function cborHead(majorType: number, argument: number): Buffer {
  const type = majorType << 5
  if (argument < 24) return Buffer.from([type | argument])
  if (argument < 256) return Buffer.from([type | 24, argument])
  return Buffer.from([type | 25, argument >> 8, argument & 0xff])
}
