import type { Server } from 'node:http'

/**
 * For a request that asks for another protocol (`Connection: Upgrade`), which there is none of here: it is answered as
 * any other. But Node drops what came behind it in one packet, and would take the middle of what is lost for a request.
 * So its answer closes the connection, and what was sent behind it is not done (RFC 9112, 9.6).
 * @returns whether to change the protocol
 */
export function closeAfterUpgrade(server: Server): boolean {
  // Of the very request, which Node hands on before it parses any further.
  server.prependOnceListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
  return false
}
