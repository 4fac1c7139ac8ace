import type { IncomingMessage } from 'node:http'
import { readCookie } from '../core/read-cookie.ts'
import { dayMs } from '../core/time-units.ts'
import { isSecret } from './secret.ts'

/**
 * Browsers accept names with this prefix only from the host itself, for all of its paths, and over TLS (RFC 6265bis,
 * 4.1.3.2).
 */
const sessionName = '__Host-summit'
const browserName = '__Host-summit-browser'

/** The secret in the cookie of a session, '' if it cannot be one; undefined for none. */
export const readSessionCookie = ({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined =>
  readCookie(headers, sessionName)

const attributes = 'Path=/; Secure; HttpOnly'

interface CookieOptions {
  /** Whether it is sent only if the user comes from our own pages, or follows no link. */
  isStrict: boolean
  maxAgeMs: number
}

/** The value of `Set-Cookie` for a session. */
export const sessionCookie = (secret: string, { isStrict, maxAgeMs }: CookieOptions): string =>
  `${sessionName}=${secret}; ${attributes}; SameSite=${isStrict ? 'Strict' : 'Lax'}; Max-Age=${Math.floor(maxAgeMs / 1000)}`

/** The value of `Set-Cookie` that removes the session's cookie. */
export const expiredSessionCookie = `${sessionName}=; ${attributes}; SameSite=Lax; Max-Age=0`

/** How long a browser is recognized after it has asked for a code. */
export const browserMs = 90 * dayMs

/** The secret by which a browser is recognized that has asked for a code; undefined for none. */
export function readBrowserCookie(request: Pick<IncomingMessage, 'headers'>): string | undefined {
  const secret = readCookie(request.headers, browserName)
  return secret !== undefined && isSecret(secret) ? secret : undefined
}

/** The value of `Set-Cookie` for a browser that asks for a code. */
export const browserCookie = (secret: string): string =>
  `${browserName}=${secret}; ${attributes}; SameSite=Lax; Max-Age=${browserMs / 1000}`
