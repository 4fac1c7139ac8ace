import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { FailureReason } from '../../../contract/failures.ts'
import { Failure } from '../../core/failure.ts'

/** How long a shutdown waits for requests in progress, as documented. */
export const defaultTimeoutMs = 25_000

/** Time for the last responses to reach their clients. */
const flushMs = 1_000

/** Bounds the wait for an event loop turn without new connections. */
const maxTurns = 1_000

export interface DrainOptions {
  /** How long idle connections stay open, as a request may be on its way. */
  lingerMs: number
  /** Requests without a response after this long fail, so that one slow client cannot block the shutdown. */
  timeoutMs: number
}

/**
 * Makes closing serve every request that a client has sent. By default, Node resets connections that it has not
 * accepted yet and idle ones whose next request has arrived but has not been read, and lets a client that is receiving
 * a response keep its connection open, and so block the shutdown, indefinitely.
 * @returns closes the app
 */
export function drainOnClose(app: FastifyInstance, { lingerMs, timeoutMs }: DrainOptions): () => Promise<void> {
  const { server } = app
  /** The latest reply of each connection, sent or not; a connection handles one request at a time (`Pipelining`). */
  const replies = new Map<Socket, FastifyReply | undefined>()
  let accepted = 0
  let isClosing = false
  server.on('connection', (socket: Socket) => {
    accepted++
    replies.set(socket, undefined)
    socket.once('close', () => replies.delete(socket))
  })
  app.addHook('onRequest', ({ socket }, reply, done) => {
    if (replies.has(socket)) replies.set(socket, reply)
    if (isClosing) reply.raw.setHeader('connection', 'close')
    done()
  })

  const unsent = () =>
    [...replies.values()].filter((reply): reply is FastifyReply => reply !== undefined && !reply.raw.headersSent)

  /** Node accepts one connection per turn of the event loop: after a turn without any, the backlog is empty. */
  const acceptAll = async () => {
    for (let turn = 0, before = -1; accepted !== before && turn < maxTurns; turn++) {
      before = accepted
      await nextTurn()
    }
  }

  const closeIdle = async () => {
    // Requests that have arrived by now are read before the next turn, however busy the process was.
    await nextTurn()
    server.closeIdleConnections()
    // Node does not consider a connection without any request idle; browsers open such connections speculatively.
    for (const socket of replies.keys()) if (socket.bytesRead === 0) socket.destroy()
  }

  const failUnsent = () => {
    for (const reply of unsent()) if (!reply.sent) reply.send(new Failure(outcomeOf(reply.request.raw)))
  }

  // Not a `preClose` hook: Fastify gives those ten seconds.
  return async () => {
    // Before connections begin to close: clients would connect again, and the backlog would never be empty.
    await acceptAll()
    isClosing = true
    const closed = once(server, 'close')
    // Only stops listening: `close` of an HTTP server would also close idle connections immediately.
    NetServer.prototype.close.call(server)
    for (const { raw } of unsent()) raw.setHeader('connection', 'close')
    // For responses that started without that header; 0 would mean no timeout.
    server.keepAliveTimeout = Math.max(1, lingerMs)
    server.keepAliveTimeoutBuffer = 0
    const timers = [
      setTimeout(closeIdle, lingerMs),
      setTimeout(failUnsent, timeoutMs),
      setTimeout(() => server.closeAllConnections(), timeoutMs + flushMs),
    ]
    await closed
    for (const timer of timers) clearTimeout(timer)
    await app.close()
  }
}

/** A write that was received completely may still be stored. */
const outcomeOf = ({ method, complete }: IncomingMessage): FailureReason =>
  complete && method !== 'GET' && method !== 'HEAD' ? 'OUTCOME_UNKNOWN' : 'UNAVAILABLE'

/** Two callbacks, as the first may run in the current turn, before the network is polled. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)))
