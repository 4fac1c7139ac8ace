import { isIPv6 } from 'node:net'
import type { Config } from '../server/config/config.ts'

/** A closed port refuses at once; a server that is busy with other requests may take seconds to respond. */
const timeoutMs = 5_000

/** The id of the summit that a server serves on the configured port; undefined if no Summit responds there. */
export async function findServedSummit({ host, port }: Config): Promise<string | undefined> {
  if (port === 0) return undefined
  try {
    const response = await fetch(`http://${reachable(host)}:${port}/healthz`, {
      signal: AbortSignal.timeout(timeoutMs),
    })
    const health: unknown = await response.json()
    return health instanceof Object && 'summit' in health ? String(health.summit) : undefined
  } catch {
    return undefined
  }
}

/** A server that listens on all addresses is reachable at the loopback address. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return isIPv6(host) ? `[${host}]` : host
}
