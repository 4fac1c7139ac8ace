import { type Config, isLoopback } from '../../config.ts'

/** Names that always resolve to the machine itself, and IP addresses, which DNS cannot redirect. */
const trustedName = /^(?:(?:.+\.)?localhost(?:\.localdomain)?\.?|\d+(?:\.\d+){3}|\[.*\])$/i

/** The parts of a Host header. */
export interface RequestHost {
  name: string
  port: number
}

/**
 * Whether a Host may be a foreign name that resolves to this machine, which would make pages of that name same-origin
 * (DNS rebinding). Checked only where listening on loopback is the sole protection. A browser that was redirected here
 * sends the port at which it arrives, `localPort`; the Host that a proxy on this machine forwards has the proxy's port.
 */
export function isForeignHost(
  { name, port }: RequestHost,
  localPort: number | undefined,
  { host, publicUrl }: Config,
): boolean {
  if (port !== localPort || !isLoopback(host) || trustedName.test(name)) return false
  return publicUrl === undefined || name.toLowerCase() !== URL.parse(publicUrl)?.hostname
}
