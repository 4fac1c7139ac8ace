import type { IncomingMessage } from 'node:http'

/** Browsers accept a name with this prefix only from the host itself, for all of its paths, and over TLS (RFC 6265bis, 4.1.3.2). */
const name = '__Host-summit'

/** The secret in the cookie of a session, '' if it cannot be one; undefined for none. */
export function readSessionCookie({ headers: { cookie } }: Pick<IncomingMessage, 'headers'>): string | undefined {
  if (cookie === undefined || !cookie.includes(name)) return undefined
  const values = cookie.split(';').flatMap((pair) => {
    // More than browsers remove, such as U+00A0, would admit names without the guarantees of the prefix.
    const [key = '', ...value] = pair.replace(/^[ \t]+/, '').split('=')
    return key === name ? [value.join('=')] : []
  })
  // Which of several is ours is not known.
  return values.length > 1 ? '' : values[0]
}

const attributes = 'Path=/; Secure; HttpOnly'

interface CookieOptions {
  /** Whether it is sent only if the user comes from our own pages, or follows no link. */
  isStrict: boolean
  maxAgeMs: number
}

/** The value of `Set-Cookie` for a session. */
export const sessionCookie = (secret: string, { isStrict, maxAgeMs }: CookieOptions): string =>
  `${name}=${secret}; ${attributes}; SameSite=${isStrict ? 'Strict' : 'Lax'}; Max-Age=${Math.floor(maxAgeMs / 1000)}`

/** The value of `Set-Cookie` that removes the session's cookie. */
export const expiredSessionCookie = `${name}=; ${attributes}; SameSite=Lax; Max-Age=0`
