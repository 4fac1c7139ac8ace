import type { IncomingMessage } from 'node:http'

/** Browsers accept a name with this prefix only from the host itself, for all of its paths, and over TLS (RFC 6265bis, 4.1.3.2). */
const name = '__Host-summit'

/** The secret in the cookie of a session, '' if it cannot be one; undefined for none. */
export const readSessionCookie = (request: Pick<IncomingMessage, 'headers'>): string | undefined =>
  readCookie(request, name)

/** The value of a cookie, '' if there are several; undefined for none. */
export function readCookie(
  { headers: { cookie } }: Pick<IncomingMessage, 'headers'>,
  name: string,
): string | undefined {
  if (cookie === undefined || !cookie.includes(name)) return undefined
  const values = cookie.split(';').flatMap((pair) => {
    const [key = '', ...value] = pair.trim().split('=')
    return key === name ? [value.join('=')] : []
  })
  // Which of several is ours is not known.
  return values.length > 1 ? '' : values[0]
}

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
