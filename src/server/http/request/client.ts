import type { IncomingMessage } from 'node:http'
import { isIPv4, isIPv6 } from 'node:net'
import proxyAddress from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'
import { unreadableNetwork } from '../../core/principal.ts'

/**
 * Creates a function that identifies the client of a request by its address: that of the connection or, behind trusted
 * proxies, the rightmost one in `X-Forwarded-For` that is not theirs. What is to the left of it are claims of the client.
 * All clients for which a trusted proxy sends something that is no address count as one.
 * @param trustedProxies addresses and networks
 * @returns undefined for a trusted proxy that does not say for whom it sends the request
 */
export function createClientReader(
  trustedProxies: readonly string[],
): (request: IncomingMessage) => string | undefined {
  const isTrusted = createTrust(trustedProxies)
  return ({ socket, headers }) => {
    if (socket.remoteAddress === undefined) return undefined
    if (!isTrusted(socket.remoteAddress)) return networkOf(socket.remoteAddress)
    for (const entry of forwardedFor(headers).reverse()) {
      const address = readAddress(entry)
      if (address === undefined) return unreadableNetwork
      if (!isTrusted(address)) return networkOf(address)
    }
    return undefined
  }
}

/**
 * Creates a function that identifies the client of a request; '' if it is not known. A connection from this machine or a
 * private network may be that of a proxy, with the requests of all clients, unless the proxy is trusted.
 */
export function createNetworkReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const readClient = createClientReader(trustedProxies)
  const isTrusted = createTrust(trustedProxies)
  return (request) => {
    const { remoteAddress = '' } = request.socket
    return isTrusted(remoteAddress) || !isPrivate(remoteAddress) ? (readClient(request) ?? '') : ''
  }
}

/** Creates a function that tells whether a request comes from a proxy that is not trusted. */
export function createProxyDetector(trustedProxies: readonly string[]): (request: IncomingMessage) => boolean {
  const isTrusted = createTrust(trustedProxies)
  return ({ socket: { remoteAddress = '' }, headers }) =>
    headers['x-forwarded-for'] !== undefined && isPrivate(remoteAddress) && !isTrusted(remoteAddress)
}

function createTrust(trustedProxies: readonly string[]): (address: string) => boolean {
  const isTrusted = proxyAddress.compile([...trustedProxies])
  return (address) => isTrusted(address, 0)
}

/** The entries of `X-Forwarded-For`, of which Node joins several headers. */
const forwardedFor = ({ 'x-forwarded-for': value = '' }: IncomingMessage['headers']): string[] =>
  String(value)
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

/**
 * The address in an entry of `X-Forwarded-For`, which some proxies send with a port: `192.0.2.1:4711`,
 * `[2001:db8::1]:4711`. A zone (RFC 4007) is left out.
 * @returns undefined if it is none
 */
function readAddress(entry: string): string | undefined {
  const [, ipv4 = ''] = /^([\d.]+)(?::\d{1,5})?$/.exec(entry) ?? []
  if (isIPv4(ipv4)) return ipv4
  const [, ipv6 = entry] = /^\[(.+)\](?::\d{1,5})?$/.exec(entry) ?? []
  return isIPv6(ipv6) ? ipv6.replace(/%.*/, '') : undefined
}

/** The ranges of addresses that are not public, as `ipaddr.js` calls them. */
const privateRanges: ReadonlySet<string> = new Set([
  ...['unspecified', 'loopback', 'private', 'carrierGradeNat'],
  ...['uniqueLocal', 'linkLocal'],
])

const isPrivate = (address: string): boolean =>
  !ipaddr.isValid(address) || privateRanges.has(ipaddr.process(address).range())

/** A client with IPv6 has a whole /64 of addresses (RFC 6177). */
function networkOf(text: string): string {
  const address = ipaddr.process(text)
  if (address instanceof ipaddr.IPv4) return address.toString()
  return `${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0])}/64`
}
