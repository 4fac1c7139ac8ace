import { signedText } from '../contract/envelope.ts'

/**
 * Whether an answer was signed with this key and has not been changed since (decisions, "Envelope").
 * @param text the body exactly as it was received: the signature covers its bytes, not its meaning
 * @param key the service's signature key, 64 hex digits
 */
export async function verify(text: string, key: string): Promise<boolean> {
  const parts = /^\[\{"response_code":(\d{4}),"data":([\s\S]*),"system":(\{[^{}]*\})\}\]$/.exec(text)
  if (!parts) return false
  const [, code = '', dataText = '', systemText = ''] = parts
  const system: unknown = parse(systemText)
  if (!isSystem(system)) return false
  const digest = toHex(await crypto.subtle.digest('SHA-256', utf8(dataText)))
  const hmacKey = await crypto.subtle.importKey('raw', fromHex(key), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
    'sign',
  ])
  const signed = utf8(signedText(Number(code), system.created_at, digest))
  const expected = toHex(await crypto.subtle.sign('HMAC', hmacKey, signed)).slice(0, 40)
  return sameText(expected, system.signature)
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

const isSystem = (value: unknown): value is { created_at: string; signature: string } =>
  typeof value === 'object' &&
  value !== null &&
  'created_at' in value &&
  typeof value.created_at === 'string' &&
  'signature' in value &&
  typeof value.signature === 'string'

/** Takes as long for a near miss as for a far one. */
function sameText(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return difference === 0
}
