import type { IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Config } from '../../config/config.ts'
import { Failure } from '../../core/failure.ts'
import { isLoopback } from '../../core/loopback.ts'

/** A host name, IPv4 address or bracketed IPv6 address, with or without a port (RFC 9110, 7.2). */
const hostPattern = /^([A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9.])?|\[[0-9A-Fa-f:.]{2,45}\])(?::(\d{1,5}))?$/

/** Host headers whose parts are cached; the clients of a server use very few. */
const maxHosts = 100

/**
 * Creates a function that returns the base of the absolute links in a response: `PUBLIC_URL`, or else the Host that the
 * client used.
 * @returns throws Failure BAD_REQUEST for a missing, repeated or malformed Host (RFC 9112, 3.2); UNKNOWN_HOST
 */
export function createBaseUrlReader(config: Config): (request: IncomingMessage) => string {
  const hosts = new LRUCache<string, Host>({ max: maxHosts, memoMethod: (header) => parseHost(header, config) })
  return ({ headers, httpVersion, socket }) => {
    if (headers.host === undefined && httpVersion === '1.0' && config.publicUrl) return config.publicUrl
    const host = hosts.memo(headers.host ?? '')
    // A browser that was redirected here sends the port at which it arrives; the Host that a proxy on this machine
    // forwards has the proxy's port.
    if (host.isForeign && host.port === socket.localPort) throw new Failure('UNKNOWN_HOST')
    return config.publicUrl ?? host.baseUrl
  }
}

interface Host {
  port: number
  /** Whether its name may be a foreign one that resolves to this machine. */
  isForeign: boolean
  baseUrl: string
}

/** @throws Failure BAD_REQUEST for a malformed Host, such as several, which are joined by commas */
function parseHost(header: string, config: Config): Host {
  const [, name, digits = '80'] = hostPattern.exec(header) ?? []
  const port = Number(digits)
  if (name === undefined || port > 65_535) throw new Failure('BAD_REQUEST')
  return { port, isForeign: isForeignName(name, config), baseUrl: `http://${header}` }
}

/** Names that always resolve to the machine itself, and IP addresses, which DNS cannot redirect. */
const trustedName = /^(?:(?:.+\.)?localhost(?:\.localdomain)?\.?|\d+(?:\.\d+){3}|\[.*\])$/i

/**
 * Whether a name in a Host header may be a foreign one that resolves to this machine, which would make pages of that
 * name same-origin (DNS rebinding). Checked only where listening on loopback is the sole protection.
 */
function isForeignName(name: string, { host, publicUrl }: Config): boolean {
  if (!isLoopback(host) || trustedName.test(name)) return false
  return publicUrl === undefined || name.toLowerCase() !== URL.parse(publicUrl)?.hostname
}
