import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Bytes that a client has to receive in each interval while there is something to send: 500 a second, the same rate as
 * for request bodies. The interval is longer than theirs because progress is visible only in steps: the kernel buffers
 * megabytes for a client that was fast, and accepts more once a third of them has been sent.
 */
const minRate = { bytes: 60_000, intervalMs: 120_000 }

/** The internal counters of `net.Socket`; its public ones change only once a whole write is done. */
interface Handle {
  bytesWritten: number
  /** Bytes of them that the kernel has not accepted yet. */
  writeQueueSize: number
}

/** The progress of a connection, in bytes of all its responses. */
interface Progress {
  /** Accepted by the kernel, or queued for it. */
  written: number
  accepted: number
}

/** Disconnects clients slower than {@link minRate}: each holds a connection, and memory or an open file. */
export function disconnectSlowReaders(server: Server): void {
  /** The progress of each open connection at the last check, if there was something to send to it. */
  const progressOf = new Map<Socket, Progress | undefined>()
  server.on('connection', (socket: Socket) => {
    progressOf.set(socket, undefined)
    socket.once('close', () => progressOf.delete(socket))
  })
  const checkAll = () => {
    for (const [socket, before] of progressOf) {
      const now = socket.writableLength > 0 ? measureProgress(socket) : undefined
      progressOf.set(socket, now)
      // Everything written before the last check has been accepted; the rest may have been written a moment ago.
      if (!before || !now || now.accepted >= before.written) continue
      if (now.accepted - before.accepted < minRate.bytes) socket.destroy()
    }
  }
  const timer = setInterval(checkAll, minRate.intervalMs).unref()
  server.once('close', () => clearInterval(timer))
}

function measureProgress(socket: Socket): Progress | undefined {
  const { _handle: handle } = socket as Socket & { _handle?: Handle | null }
  return handle ? { written: handle.bytesWritten, accepted: handle.bytesWritten - handle.writeQueueSize } : undefined
}
