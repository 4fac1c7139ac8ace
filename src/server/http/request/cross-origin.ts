import type { IncomingMessage } from 'node:http'
import { Failure } from '../../core/failure.ts'

/**
 * Refuses a write that a web page of another origin has a browser send, for which a form is enough. `Sec-Fetch-Site`
 * says where it comes from (https://www.w3.org/TR/fetch-metadata/), or `Origin` where a browser is older or goes
 * without TLS. What is no browser sends neither. Pages of the same site are refused, too: all ports of localhost are
 * one site.
 * @throws Failure CROSS_ORIGIN
 */
export function assertSameOrigin({ headers }: IncomingMessage, publicUrl: string | undefined): void {
  const { origin, host, 'sec-fetch-site': site } = headers
  if ((site === undefined && origin === undefined) || isApp.test(origin ?? '')) return
  // Without a page behind it, as from the address bar, it is `none`.
  if (site === undefined ? isOwn(origin, host, publicUrl) : site === 'same-origin' || site === 'none') return
  throw new Failure('CROSS_ORIGIN')
}

/** Of an app in a web view, as `file://` or `capacitor://localhost`: a page on the web has http, https or `null`. */
const isApp = /^(?!https?:)[a-z][a-z0-9+.-]*:\/\//i

/** Whatever ends TLS may leave us no scheme to compare, and may not pass the `Host` on, or not its port. */
function isOwn(origin = '', host = '', publicUrl = ''): boolean {
  const from = URL.parse(origin)
  const asked = URL.parse(`${from?.protocol}//${host}`)
  if (!from || !/^https?:$/.test(from.protocol)) return false
  if (from.host === URL.parse(publicUrl)?.host || from.host === asked?.host) return true
  return from.hostname === asked?.hostname && !/:\d+$/.test(host)
}
