import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { piecesOf } from './piece-budget.ts'
import { SocketValve } from './socket-valve.ts'

/** How long a client may go on sending what nobody reads. */
const lingerMs = 30_000

/** How long a client that is not received from any more may take to read its response. */
const readMs = 2_000

/**
 * For an answer that goes out while the body is still arriving. The rest is received and dropped, since a client that
 * is cut off in the middle of sending may lose the answer with the connection (RFC 9112, 9.6), but not for ever. A body
 * whose {@link piecesOf} are spent is not even received.
 */
export function drainRequestBody(request: IncomingMessage): void {
  // What is closed already has nothing to send, and would never say so again.
  if (request.complete || request.destroyed || !hasBody(request)) return
  const { socket } = request
  const pieces = piecesOf(request)
  const giveUpAfter = (ms: number) => {
    const giveUp = setTimeout(() => socket.destroy(), ms)
    const cancel = () => {
      clearTimeout(giveUp)
      request.off('close', cancel)
      socket.off('close', cancel)
    }
    request.once('close', cancel)
    // Once its response is sent, a request does not close with its connection.
    socket.once('close', cancel)
  }
  giveUpAfter(lingerMs)
  if (pieces.isSpent) {
    closeUnread(socket)
    return
  }
  const drop = ({ length }: Buffer) => {
    pieces.take(length)
    if (!pieces.isSpent) return
    request.off('data', drop)
    new SocketValve(socket).shut()
    giveUpAfter(readMs)
  }
  request.on('data', drop)
}

/**
 * Makes the end of the response end the connection, but not at once: the kernel resets a connection that is closed with
 * bytes unread, and with it goes what the client has not read yet of its response.
 */
function closeUnread(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end()
    const giveUp = setTimeout(() => socket.destroy(), readMs)
    socket.once('close', () => clearTimeout(giveUp))
  }
}

/** A request without a body is not complete either, while its head is being looked at. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined
