import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { FailureReason } from '../../contract/failures.ts'
import { Failure } from '../core/failure.ts'

/** How long requests under way are waited for, as the documents say. */
export const defaultTimeoutMs = 25_000

/** For the responses that are sent at the very end to arrive. */
const flushMs = 1_000

/** Bounds the wait for a moment without new connections. */
const maxTurns = 1_000

export interface DrainOptions {
  /** How long a connection that waits for its next request is left open: a request may be on its way. */
  lingerMs: number
  /** A request without a response after this long is refused, so that one slow client cannot hold up the end. */
  timeoutMs: number
}

/**
 * Makes `app.close()` serve every request that a client has sent. By itself Node resets the connections that it has not
 * accepted yet, and those that wait for a request which has arrived but is not read yet; and a connection whose response
 * was under way it keeps for as long as the client likes, and the end with it.
 */
export function drainOnClose(app: FastifyInstance, { lingerMs, timeoutMs }: DrainOptions): void {
  const { server } = app
  /** The reply to the request that each connection began last, sent or not; they are begun one at a time (`Pipelining`). */
  const replies = new Map<Socket, FastifyReply | undefined>()
  let accepted = 0
  server.on('connection', (socket: Socket) => {
    accepted++
    replies.set(socket, undefined)
    socket.once('close', () => replies.delete(socket))
  })
  app.addHook('onRequest', ({ socket }, reply, done) => {
    if (replies.has(socket)) replies.set(socket, reply)
    done()
  })

  const unsent = () =>
    [...replies.values()].filter((reply): reply is FastifyReply => reply !== undefined && !reply.raw.headersSent)

  /** One connection is accepted in each turn of the event loop: after a turn without any, none is left behind. */
  const acceptAll = async () => {
    for (let turn = 0, before = -1; accepted !== before && turn < maxTurns; turn++) {
      before = accepted
      await nextTurn()
    }
  }

  const closeIdle = async () => {
    // What arrived meanwhile is read before the next turn, however busy it was.
    await nextTurn()
    server.closeIdleConnections()
    // Node does not count one that never sent anything as idle; browsers open them ahead of need.
    for (const socket of replies.keys()) if (socket.bytesRead === 0) socket.destroy()
  }

  const refuseUnsent = () => {
    for (const reply of unsent()) if (!reply.sent) reply.send(new Failure(outcomeOf(reply.request.raw)))
  }

  // From here on Fastify has every response to a new request close its connection.
  app.addHook('preClose', async () => {
    await acceptAll()
    const closed = once(server, 'close')
    // Stops listening, and nothing else: `close` of an HTTP server ends idle connections at once.
    NetServer.prototype.close.call(server)
    for (const { raw } of unsent()) raw.setHeader('connection', 'close')
    // For responses that have begun without that header. 0 would be for ever.
    server.keepAliveTimeout = Math.max(1, lingerMs)
    server.keepAliveTimeoutBuffer = 0
    const timers = [
      setTimeout(closeIdle, lingerMs),
      setTimeout(refuseUnsent, timeoutMs),
      setTimeout(() => server.closeAllConnections(), timeoutMs + flushMs),
    ]
    await closed
    for (const timer of timers) clearTimeout(timer)
  })
}

/** A write that has arrived may yet be stored. */
const outcomeOf = ({ method, complete }: IncomingMessage): FailureReason =>
  complete && method !== 'GET' && method !== 'HEAD' ? 'OUTCOME_UNKNOWN' : 'UNAVAILABLE'

/** The first callback may still come in this turn, without a look at the network before it. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)))
