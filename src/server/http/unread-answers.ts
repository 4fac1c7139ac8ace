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

/** Cuts off clients that take less than {@link leastRate}: each holds a connection, and its answer or its file. */
export function cutOffSlowReaders(server: Server): void {
  /** The bytes that each open connection had taken at the last look, if more was to be sent to it then. */
  const taken = new Map<Socket, number | undefined>()
  server.on('connection', (socket: Socket) => {
    taken.set(socket, undefined)
    socket.once('close', () => taken.delete(socket))
  })
  const look = () => {
    for (const [socket, before = -Infinity] of taken) {
      const now = socket.writableLength > 0 ? takenBy(socket) : undefined
      taken.set(socket, now)
      if (now !== undefined && now < before + leastRate.bytes) socket.destroy()
    }
  }
  const watch = setInterval(look, leastRate.inMs).unref()
  server.once('close', () => clearInterval(watch))
}

function takenBy(socket: Socket): number | undefined {
  const { _handle: handle } = socket as Socket & { _handle?: Handle | null }
  return handle ? handle.bytesWritten - handle.writeQueueSize : undefined
}
