import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { pieceBudgetOf } from '../budgets/piece-budget.ts'
import { SocketThrottle } from './socket-throttle.ts'

/** How long a client may continue to send a body that is discarded. */
const lingerMs = 30_000

/** How long a client may take to read its response once its body is no longer received. */
const readMs = 2_000

/**
 * For a response that is sent while the body is still arriving. Receives and discards the rest, but not for ever: a
 * client that is disconnected while it sends may lose the response with the connection (RFC 9112, 9.6). A body that
 * exceeds its piece budget is not even received.
 */
export function drainRequestBody(request: IncomingMessage): void {
  // A request that is already closed sends nothing more, and would not emit `close` again.
  if (request.complete || request.destroyed || !hasBody(request)) return
  const { socket } = request
  const pieceBudget = pieceBudgetOf(request)
  const disconnectAfter = (ms: number) => {
    const timer = setTimeout(() => socket.destroy(), ms)
    const cancel = () => {
      clearTimeout(timer)
      request.off('close', cancel)
      socket.off('close', cancel)
    }
    request.once('close', cancel)
    // After its response was sent, a request does not close with its connection.
    socket.once('close', cancel)
  }
  disconnectAfter(lingerMs)
  if (pieceBudget.isExceeded) {
    delayClose(socket)
    return
  }
  const discard = ({ length }: Buffer) => {
    pieceBudget.count(length)
    if (!pieceBudget.isExceeded) return
    request.off('data', discard)
    new SocketThrottle(socket).pause()
    disconnectAfter(readMs)
  }
  request.on('data', discard)
}

/**
 * Delays the close of a connection whose body is not read until the client has had time to read the response: the
 * kernel resets a connection that is closed with unread bytes, and a reset discards what the client has not read yet.
 */
function delayClose(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end()
    const timer = setTimeout(() => socket.destroy(), readMs)
    socket.once('close', () => clearTimeout(timer))
  }
}

/**
 * Whether a request has a body. `complete` does not tell: it is still false for any request whose head is being
 * handled.
 */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined
