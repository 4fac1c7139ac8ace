import { Socket } from 'node:net'

/**
 * A socket that sends everything written in one turn of the event loop in one system call, at the end of the turn. For
 * queries that do not wait for each other this pays off: the system call costs more than the rest of a small query.
 * For reads only: a transaction that writes awaits each of its queries, and other writes wait for it. TLS bypasses it.
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
  // Only then, because connecting replaces `write` by Node's own.
  socket.once('connect', () => {
    const write = socket.write.bind(socket)
    socket.write = (...args: unknown[]) => {
      sendAtEndOfTurn()
      return write(...(args as Parameters<typeof write>))
    }
  })
  return socket
}
