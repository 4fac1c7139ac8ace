import { redirectUrlOfDelete, responseCodes, signedText } from '../contract/envelope.ts'

/** An envelope exactly as the service serializes it. */
const envelopePattern =
  /^\[\{"response_code":(\d{4}),"data":([\s\S]*),"system":\{"created_at":"([\d :-]{19})","signature":"([\da-f]{40})",([^{}]*)\}\}\]$/

/**
 * Whether a response was signed with this key and is unchanged (docs/api.md, "Signatures").
 * @param text the body exactly as received: the signature covers its bytes
 * @param key the service's signature key, 64 hex digits; surrounding white space, as in its file, is ignored
 * @throws TypeError for any other key: with it a forged response might pass
 */
export async function verify(text: string, key: string): Promise<boolean> {
  const digits = key.trim()
  if (!/^[0-9A-Fa-f]{64}$/.test(digits)) throw new TypeError('The signature key must be 64 hex digits.')
  const [, code = '', dataText = '', createdAt = '', signature = '', rest] = envelopePattern.exec(text) ?? []
  if (rest === undefined || rest !== unsignedMembersOf(Number(code), dataText)) return false
  const digest = toHex(await crypto.subtle.digest('SHA-256', utf8(dataText)))
  const hmacKey = await crypto.subtle.importKey('raw', fromHex(digits), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
    'sign',
  ])
  const signed = utf8(signedText(Number(code), createdAt, digest))
  const expected = toHex(await crypto.subtle.sign('HMAC', hmacKey, signed)).slice(0, 40)
  return isEqual(expected, signature)
}

/** The members of `system` after the signature. They are not signed, since they follow from the signed ones. */
function unsignedMembersOf(code: number, dataText: string): string | undefined {
  if (code === responseCodes.success) return '"message":"Success"'
  if (code === responseCodes.deleted) return `"message":"Redirected","redirect_url":${redirectUrlOfDelete}`
  const data = parse(dataText)
  return isFailure(data) ? `"message":${JSON.stringify(data.message)}` : undefined
}

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

const toHex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')

const fromHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isFailure = (value: unknown): value is { message: string } =>
  typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'

/** Compares in constant time. */
function isEqual(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return difference === 0
}
