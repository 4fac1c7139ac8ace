import type { IncomingMessage } from 'node:http'

/** How long a client may go on sending what nobody reads. */
const lingerMs = 30_000

/**
 * For an answer that goes out while the body is still arriving. The rest is received and dropped, since a client that
 * is cut off in the middle of sending may lose the answer with the connection (RFC 9112, 9.6), but not for ever.
 */
export function dropUnreadBody(request: IncomingMessage): void {
  // What is closed already has nothing to send, and would never say so again.
  if (request.complete || request.destroyed || !hasBody(request)) return
  request.resume()
  const giveUp = setTimeout(() => request.socket.destroy(), lingerMs)
  request.once('close', () => clearTimeout(giveUp))
}

/** A request without a body is not complete either, while its head is being looked at. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined
