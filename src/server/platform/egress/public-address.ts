import ipaddr from 'ipaddr.js'

/** The addresses that have been assigned to networks of the Internet (RFC 4291, 2.4, and IANA's registry). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Azure's WireServer, which gives a machine its secrets. Others have their metadata at link-local or private addresses.
 */
const wireServer = '168.63.129.16'

/**
 * Whether an address is one of the public Internet: not loopback, private, link-local (which includes the metadata of
 * cloud machines), multicast or reserved. Addresses of IPv6 that stand for one of IPv4 (mapped, NAT64, 6to4, Teredo)
 * are not, since they could lead to any of these.
 * @param text as the resolver returns it
 */
export function isPublicAddress(text: string): boolean {
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv6 ? address.match(globalUnicast) : text !== wireServer
}

export const isLoopbackAddress = (text: string): boolean => ipaddr.parse(text).range() === 'loopback'
