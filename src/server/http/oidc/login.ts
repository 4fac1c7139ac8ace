import { createHmac, type KeyObject } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { readSignedSecret, signNewSecret } from '../../auth/signed-secret.ts'
import type { OrganizerId } from '../../core/ids.ts'
import { readCookie } from '../../core/read-cookie.ts'

/** The state that a browser keeps, in a signed cookie, while its user is at the identity provider. */
export interface Login {
  secret: string
  /** The organizer who connects an account; `noOrganizer` for a sign-in. */
  organizer: OrganizerId
  /** The id of the session in which it began; 0 for none. */
  session: number
  /** The path of the page to come back to; '' for none. */
  next: string
}

/**
 * Browsers accept a name with this prefix only from the host itself, for all of its paths, and over TLS (RFC 6265bis,
 * 4.1.3.2).
 */
const name = '__Host-summit-login'

/** Lax, as the browser comes back from another site. */
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'

const loginMs = 10 * 60_000

const purposeOf = ({ organizer, session, next }: Omit<Login, 'secret'>): string =>
  `login ${organizer} ${session} ${next}`

/** @returns a login, and the value of `Set-Cookie` for it, which replaces an earlier one of the same browser */
export function beginLogin(
  key: KeyObject,
  began: Omit<Login, 'secret'>,
  now: number,
): { login: Login; cookie: string } {
  const { secret, value } = signNewSecret(key, purposeOf(began), now + loginMs)
  const { organizer, session } = began
  const next = Buffer.from(began.next).toString('base64url')
  return {
    login: { secret, ...began },
    cookie: `${name}=${organizer}.${session}.${next}.${value}; ${attributes}; Max-Age=${loginMs / 1000}`,
  }
}

/** The value of `Set-Cookie` that removes the cookie of a login. */
export const expiredLoginCookie = `${name}=; ${attributes}; Max-Age=0`

/** The login of the browser; undefined unless it began here, less than 10 minutes ago. */
export function readLogin(request: Pick<IncomingMessage, 'headers'>, key: KeyObject, now: number): Login | undefined {
  const sent = readCookie(request.headers, name) ?? ''
  const [, organizer = '', session = '', encodedNext = '', value = ''] =
    /^(\d{1,15})\.(\d{1,15})\.([\w-]*)\.(.+)$/.exec(sent) ?? []
  const next = Buffer.from(encodedNext, 'base64url').toString()
  const began = { organizer: Number(organizer) as OrganizerId, session: Number(session), next }
  const secret = readSignedSecret(key, purposeOf(began), value, now)
  return secret === undefined ? undefined : { secret, ...began }
}

/** A value that belongs to a login. It reveals neither the secret nor the other values. */
export const derive = ({ secret }: Login, value: 'state' | 'nonce' | 'code verifier'): string =>
  createHmac('sha256', secret).update(value).digest('base64url')
