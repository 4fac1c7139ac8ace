import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isSecret, newSecret } from '../access/secret.ts'
import { readCookie } from '../core/read-cookie.ts'

/**
 * The state that a browser keeps while its user is at the identity provider. A user who changes the cookie deceives
 * only themselves.
 */
export interface Login {
  secret: string
  /** Whether an organizer who is signed in connects an account. */
  connects: boolean
}

/**
 * Browsers accept a name with this prefix only from the host itself, for all of its paths, and over TLS (RFC 6265bis,
 * 4.1.3.2).
 */
const name = '__Host-summit-login'

/** Lax, as the browser comes back from another site. */
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'

const maxAgeSeconds = 10 * 60

export const beginLogin = (connects: boolean): Login => ({ secret: newSecret(), connects })

/** The value of `Set-Cookie` for a login, which replaces an earlier one of the same browser. */
export const loginCookie = ({ secret, connects }: Login): string =>
  `${name}=${secret}${connects ? connecting : ''}; ${attributes}; Max-Age=${maxAgeSeconds}`

/** The value of `Set-Cookie` that removes the cookie of a login. */
export const expiredLoginCookie = `${name}=; ${attributes}; Max-Age=0`

const connecting = '.connect'

export function readLogin(request: Pick<IncomingMessage, 'headers'>): Login | undefined {
  const value = readCookie(request.headers, name) ?? ''
  const connects = value.endsWith(connecting)
  const secret = connects ? value.slice(0, -connecting.length) : value
  return isSecret(secret) ? { secret, connects } : undefined
}

/** A value that belongs to a login. It reveals neither the secret nor the other values. */
export const derive = ({ secret }: Login, value: 'state' | 'nonce' | 'code verifier'): string =>
  createHmac('sha256', secret).update(value).digest('base64url')
