import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * A client to which something is to be sent has to take so many bytes in each of these spans: 500 a second, as bodies
 * have to bring. The span is longer than theirs, as to us it takes in steps: the kernel keeps megabytes for a client
 * that was fast, and asks for more once a third of them is gone.
 */
const leastRate = { bytes: 60_000, inMs: 120_000 }

/** What `net.Socket` itself tells a slow reader from none by; its public counts move only once a write is whole. */
interface Handle {
  bytesWritten: number
  /** Of them, what the kernel has not taken. */
  writeQueueSize: number
}

/** How far a connection had come at a look, in bytes of all its answers. */
interface Look {
  /** Given to the kernel, or about to be. */
  given: number
  taken: number
}

/** Cuts off clients that take less than {@link leastRate}: each holds a connection, and its answer in memory or its file. */
export function disconnectSlowReaders(server: Server): void {
  /** The last look at each open connection, if something was to be sent to it then. */
  const looks = new Map<Socket, Look | undefined>()
  server.on('connection', (socket: Socket) => {
    looks.set(socket, undefined)
    socket.once('close', () => looks.delete(socket))
  })
  const lookAtAll = () => {
    for (const [socket, before] of looks) {
      const now = socket.writableLength > 0 ? lookAt(socket) : undefined
      looks.set(socket, now)
      // What there is to take now may have come since; what there was then has been taken.
      if (!before || !now || now.taken >= before.given) continue
      if (now.taken - before.taken < leastRate.bytes) socket.destroy()
    }
  }
  const watch = setInterval(lookAtAll, leastRate.inMs).unref()
  server.once('close', () => clearInterval(watch))
}

function lookAt(socket: Socket): Look | undefined {
  const { _handle: handle } = socket as Socket & { _handle?: Handle | null }
  return handle ? { given: handle.bytesWritten, taken: handle.bytesWritten - handle.writeQueueSize } : undefined
}
