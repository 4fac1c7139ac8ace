import type { Server } from 'node:http'

/**
 * Handles `Connection: Upgrade` as an ordinary request: no other protocol is supported. But Node discards the bytes
 * behind it in the same packet, and would parse the bytes that follow them as a request, from the middle of one. So the
 * response closes the connection, and requests sent behind it are not handled (RFC 9112, 9.6).
 * @returns whether to upgrade
 */
export function closeAfterUpgrade(server: Server): boolean {
  // Node emits this very request before it parses any further.
  server.prependOnceListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
  return false
}
