import { type LookupAddress, promises } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { EgressError } from './egress-error.ts'

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

const isLoopbackAddress = (text: string): boolean => ipaddr.parse(text).range() === 'loopback'

/** Resolves the name of a host. @returns at least one address */
export type Lookup = (host: string) => Promise<LookupAddress[]>

/** The resolver of the system, which reads `/etc/hosts`, too. */
export const systemLookup: Lookup = (host) => promises.lookup(host, { all: true, order: 'verbatim' })

/**
 * Resolves the host of a URL, and checks every address.
 * @param isTrusted whether the operator has set the origin of the URL
 * @throws EgressError if an address must not be connected to
 */
export async function resolveHost(url: URL, isTrusted: boolean, lookup: Lookup): Promise<LookupAddress[]> {
  const isEncrypted = url.protocol === 'https:'
  if (!isEncrypted && !(isTrusted && url.protocol === 'http:')) throw new EgressError('is not an https URL')
  const addresses = await lookup(url.hostname.replace(/^\[|\]$/g, ''))
  for (const { address } of addresses) {
    if (!isEncrypted && !isLoopbackAddress(address))
      throw new EgressError(`has the address ${address}, where only https is allowed`)
    if (!isTrusted && !isPublicAddress(address))
      throw new EgressError(`has the address ${address}, which is not a public one`)
  }
  return addresses
}

/** Connects to these addresses, even if the name resolves to others by then. */
export const pinned =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (host, { all }, done) => {
    const [first] = addresses
    if (!first) done(new EgressError(`${host} has no address`), '')
    else if (all) done(null, [...addresses])
    else done(null, first.address, first.family)
  }
