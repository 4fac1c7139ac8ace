import type { IncomingMessage } from 'node:http'
import { type Access, identifiesSender } from '../../../contract/access.ts'
import { readSessionCookie } from '../../auth/cookies.ts'
import { readBearerToken } from '../../auth/identify.ts'
import type { Config } from '../../config/config.ts'
import { localUrlOf } from '../../config/sign-in-url.ts'
import { Failure } from '../../core/failure.ts'

type Origins = Pick<Config, 'publicUrl' | 'corsOrigins'>

/** Rejects a write that a page must not send. @param access of the operation @throws Failure CROSS_ORIGIN */
export function assertAllowedOrigin(
  request: IncomingMessage,
  access: Access,
  config: Origins & Pick<Config, 'access'>,
): void {
  assertSameOrigin(request, config)
  if (!identifiesSender(access, config.access)) return
  // The response of a sign-in sets a cookie, so that another page could sign its user in as somebody else. A browser
  // sends a token only for a page that has it.
  const isSignIn = 'signIn' in access && isFromBrowser(request) && readBearerToken(request) === undefined
  if (readSessionCookie(request) !== undefined || isSignIn) assertOwnPage(request, config)
}

const isFromBrowser = ({ headers }: IncomingMessage): boolean =>
  headers['sec-fetch-site'] !== undefined || headers.origin !== undefined

/**
 * Rejects a write that a browser sends for a web page of another origin, unless that is one of `CORS_ORIGINS`; a plain
 * form suffices for that. Browsers report the source in `Sec-Fetch-Site` (https://www.w3.org/TR/fetch-metadata/), and
 * older ones, or those without TLS, in `Origin`; other clients send neither. Same-site pages of another origin are
 * rejected, too: all ports of localhost are one site.
 * @throws Failure CROSS_ORIGIN
 */
function assertSameOrigin(request: IncomingMessage, { publicUrl, corsOrigins }: Origins): void {
  const { origin, host, 'sec-fetch-site': site } = request.headers
  if (!isFromBrowser(request) || appOrigin.test(origin ?? '')) return
  // `none` means a request that no page made, such as from the address bar.
  if (site === undefined ? isOwnOrigin(origin, host, publicUrl) : site === 'same-origin' || site === 'none') return
  if (origin !== undefined && corsOrigins.has(origin)) return
  throw new Failure('CROSS_ORIGIN', { cause: new Error(howToAllow) })
}

/**
 * Rejects a request that reads or sets the cookie of a session, which a browser does by itself, unless it comes from a
 * page of ours. Without `Sec-Fetch-Site`, the sender has to name our origin.
 * @throws Failure CROSS_ORIGIN
 */
export function assertOwnPage({ headers, socket }: IncomingMessage, { publicUrl }: Pick<Origins, 'publicUrl'>): void {
  const { origin, 'sec-fetch-site': site } = headers
  const ours = publicUrl ?? localUrlOf(socket.localPort)
  if (site === undefined ? origin !== undefined && origin === URL.parse(ours)?.origin : site === 'same-origin') return
  throw new Failure('CROSS_ORIGIN', { cause: new Error(cookieFromElsewhere) })
}

const cookieFromElsewhere = 'A write that reads or sets the cookie of a session did not come from a page of PUBLIC_URL.'

/** For the log, which never holds a header of a client. */
const howToAllow =
  'A browser sent a write for a web page of another origin. To allow the pages of an app, add its origin to CORS_ORIGINS.'

/** The origin of an app in a web view, such as `capacitor://localhost`; that of a web page is http, https or `null`. */
const appOrigin = /^(?!https?:)[a-z][a-z0-9+.-]*:\/\//i

/** A proxy that terminates TLS may hide the scheme, and may not forward the `Host`, or not its port. */
function isOwnOrigin(origin = '', host = '', publicUrl = ''): boolean {
  const source = URL.parse(origin)
  const target = URL.parse(`${source?.protocol}//${host}`)
  if (!source || !/^https?:$/.test(source.protocol)) return false
  if (source.host === URL.parse(publicUrl)?.host || source.host === target?.host) return true
  return source.hostname === target?.hostname && !/:\d+$/.test(host)
}
