import type { IncomingMessage } from 'node:http'
import { readCookie } from '../core/read-cookie.ts'
import { dayMs } from '../core/time-units.ts'
import { isSecret } from './secret.ts'
import { cookieAttributes } from './session-cookie.ts'

const name = '__Host-summit-browser'

/** How long a browser is recognized after it has asked for a code. */
export const browserMs = 90 * dayMs

/** The secret by which a browser is recognized that has asked for a code; undefined for none. */
export function readBrowserCookie(request: Pick<IncomingMessage, 'headers'>): string | undefined {
  const secret = readCookie(request.headers, name)
  return secret !== undefined && isSecret(secret) ? secret : undefined
}

/** The value of `Set-Cookie` for a browser that asks for a code. */
export const browserCookie = (secret: string): string =>
  `${name}=${secret}; ${cookieAttributes}; SameSite=Lax; Max-Age=${browserMs / 1000}`
