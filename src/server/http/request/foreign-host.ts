import type { Config } from '../../config/config.ts'
import { isLoopback } from '../../core/loopback.ts'

/** Names that always resolve to the machine itself, and IP addresses, which DNS cannot redirect. */
const trustedName = /^(?:(?:.+\.)?localhost(?:\.localdomain)?\.?|\d+(?:\.\d+){3}|\[.*\])$/i

/**
 * Whether a name in a Host header may be a foreign one that resolves to this machine, which would make pages of that
 * name same-origin (DNS rebinding). Checked only where listening on loopback is the sole protection.
 */
export function isForeignName(name: string, { host, publicUrl }: Config): boolean {
  if (!isLoopback(host) || trustedName.test(name)) return false
  return publicUrl === undefined || name.toLowerCase() !== URL.parse(publicUrl)?.hostname
}
