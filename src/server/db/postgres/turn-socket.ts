import { Socket } from 'node:net'

/**
 * A socket that sends all that is written in one turn of the event loop at once, at its end. Queries that do not wait
 * for one another then take one call of the system together, which costs more than all else that we do for a small one.
 * For reading only: a write waits for each of its queries, and others for it. TLS, on top of it, passes it by.
 */
export function turnSocket(): Socket {
  const socket = new Socket()
  let isWaiting = false
  const sendAtEndOfTurn = () => {
    if (isWaiting) return
    isWaiting = true
    socket.cork()
    setImmediate(() => {
      isWaiting = false
      socket.uncork()
    })
  }
  // Not before: connecting puts Node's own `write` in the place of any other.
  socket.once('connect', () => {
    const write = socket.write.bind(socket)
    socket.write = (...what: unknown[]) => {
      sendAtEndOfTurn()
      return write(...(what as Parameters<typeof write>))
    }
  })
  return socket
}
