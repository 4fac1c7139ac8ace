import type { IncomingMessage } from 'node:http'
import { Failure } from '../failure.ts'

/**
 * Refuses a write that a web page of another origin has a browser send, for which a form is enough. `Sec-Fetch-Site`
 * says where it comes from (https://www.w3.org/TR/fetch-metadata/), or `Origin` where a browser is older or goes
 * without TLS. What is no browser sends neither. Pages of the same site are refused, too: all ports of localhost are
 * one site.
 * @throws Failure CROSS_ORIGIN
 */
export function refuseCrossOrigin({ headers }: IncomingMessage, publicUrl: string | undefined): void {
  const { origin, host, 'sec-fetch-site': site } = headers
  if (site === undefined && origin === undefined) return
  // Without a page behind it, as from the address bar, it is `none`.
  if (site === undefined ? isOwn(origin, host, publicUrl) : site === 'same-origin' || site === 'none') return
  throw new Failure('CROSS_ORIGIN')
}

/** Whatever ends TLS may leave us no scheme to compare, and may not pass the `Host` on. */
function isOwn(origin = '', host: string | undefined, publicUrl: string | undefined): boolean {
  const [, scheme] = /^(https?):\/\//.exec(origin) ?? []
  if (scheme === undefined) return false
  const own = [host && `${scheme}://${host}`, publicUrl].flatMap((url) => (url ? hostOf(url) : []))
  return own.includes(hostOf(origin))
}

/** With its port, unless that is the usual one. */
const hostOf = (url: string): string | undefined => URL.parse(url)?.host
