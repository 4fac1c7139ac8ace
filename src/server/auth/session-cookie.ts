import type { IncomingMessage } from 'node:http'
import { readCookie } from '../core/read-cookie.ts'

/**
 * Browsers accept a name with this prefix only from the host itself, for all of its paths, and over TLS (RFC 6265bis,
 * 4.1.3.2).
 */
const name = '__Host-summit'

/** The secret in the cookie of a session, '' if it cannot be one; undefined for none. */
export const readSessionCookie = ({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined =>
  readCookie(headers, name)

export const cookieAttributes = 'Path=/; Secure; HttpOnly'

interface CookieOptions {
  /** Whether it is sent only if the user comes from our own pages, or follows no link. */
  isStrict: boolean
  maxAgeMs: number
}

/** The value of `Set-Cookie` for a session. */
export const sessionCookie = (secret: string, { isStrict, maxAgeMs }: CookieOptions): string =>
  `${name}=${secret}; ${cookieAttributes}; SameSite=${isStrict ? 'Strict' : 'Lax'}; Max-Age=${Math.floor(maxAgeMs / 1000)}`

/** The value of `Set-Cookie` that removes the session's cookie. */
export const expiredSessionCookie = `${name}=; ${cookieAttributes}; SameSite=Lax; Max-Age=0`
