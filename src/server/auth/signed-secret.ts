import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { newSecret } from './secret.ts'

// A secret in the cookie of one browser for a few minutes. The server stores nothing: an HMAC proves that it comes from
// here, with its purpose and expiry.

/**
 * Creates a secret for a purpose.
 * @param expiresAt in milliseconds since 1970
 * @returns the secret, and the value of the cookie
 */
export function signNewSecret(key: KeyObject, purpose: string, expiresAt: number): { secret: string; value: string } {
  const secret = newSecret()
  return { secret, value: [secret, expiresAt, signature(key, purpose, secret, expiresAt)].join('.') }
}

/** The secret in the value of a cookie; undefined unless it was signed for this purpose, and has not expired. */
export function readSignedSecret(key: KeyObject, purpose: string, value: string, now: number): string | undefined {
  const [, secret = '', expiresAt = '', sent = ''] = /^(.+)\.(\d{1,15})\.([\w-]{43})$/.exec(value) ?? []
  if (Number(expiresAt) <= now) return undefined
  const valid = signature(key, purpose, secret, Number(expiresAt))
  return timingSafeEqual(Buffer.from(valid), Buffer.from(sent)) ? secret : undefined
}

const signature = (key: KeyObject, ...signed: (string | number)[]): string =>
  createHmac('sha256', key).update(JSON.stringify(signed)).digest('base64url')
