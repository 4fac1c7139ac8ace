import type { IncomingMessage } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'

/**
 * Creates a function that identifies the client of a request by its address: that of the connection or, behind trusted
 * proxies, the rightmost one in `X-Forwarded-For` that is not theirs. The addresses to the left of it are claims of the
 * client.
 * @param trustedProxies addresses and networks
 * @returns undefined for a trusted proxy that does not say for whom it sends the request
 */
export function createClientReader(
  trustedProxies: readonly string[],
): (request: IncomingMessage) => string | undefined {
  const isTrusted = proxyAddress.compile([...trustedProxies])
  return (request) => {
    if (request.socket.remoteAddress === undefined) return undefined
    const address = proxyAddress(request, isTrusted)
    return isTrusted(address, 0) ? undefined : networkOf(address)
  }
}

/**
 * Creates a function that identifies the client of a request; '' if it is not known. Without trusted proxies, all
 * clients may have the address of one proxy.
 */
export function createNetworkReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const read = createClientReader(trustedProxies)
  return (request) => (trustedProxies.length > 0 ? (read(request) ?? '') : '')
}

/** A client with IPv6 has a whole /64 of addresses (RFC 6177). */
function networkOf(text: string): string {
  if (!ipaddr.isValid(text)) return text
  const address = ipaddr.process(text)
  return address instanceof ipaddr.IPv6 ? `${address.parts.slice(0, 4).join(':')}::/64` : address.toString()
}
