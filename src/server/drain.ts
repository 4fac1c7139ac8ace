import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { FailureReason } from '../contract/failures.ts'
import { Failure } from './failure.ts'

/** How long requests under way are waited for, as the documents say. */
export const defaultPatienceMs = 25_000

/** For the answers that are given at the very end to arrive. */
const lastWordsMs = 1_000

/** Bounds the wait for a moment without new connections. */
const maxTurns = 1_000

export interface DrainOptions {
  /** How long a connection that waits for its next request is left open: a request may be on its way. */
  lingerMs: number
  /** A request that is not answered after this long is refused, so that one slow client cannot hold up the end. */
  patienceMs: number
}

/**
 * Kept for each connection, not as a set of answers that come and go: the tables that such a set grows out of would keep
 * theirs, see decision 13.
 */
interface Connection {
  /** The answer to the request that was routed last, given or not; there is one at a time, see `Pipelining`. */
  reply: FastifyReply | undefined
}

/**
 * Makes closing take every request along that a client has sent. By itself Node resets the connections that it has not
 * accepted yet, and those that wait for a request which has arrived but is not read yet; and a connection whose answer
 * was under way it keeps for as long as the client likes, and the end with it.
 * @returns what closes it
 */
export function drainOnClose(app: FastifyInstance, { lingerMs, patienceMs }: DrainOptions): () => Promise<void> {
  const { server } = app
  const connections = new Map<Socket, Connection>()
  let accepted = 0
  let isClosing = false
  const timers: NodeJS.Timeout[] = []
  const later = (work: () => void, ms: number) => timers.push(setTimeout(work, ms).unref())
  server.on('connection', (socket: Socket) => {
    accepted++
    const connection: Connection = { reply: undefined }
    connections.set(socket, connection)
    socket.once('close', () => {
      connection.reply = undefined
      connections.delete(socket)
    })
  })
  app.addHook('onRequest', ({ socket }, reply, done) => {
    const connection = connections.get(socket)
    if (connection) connection.reply = reply
    if (isClosing) closeAfter(reply)
    done()
  })
  const giveUp = () => {
    for (const { reply } of connections.values())
      if (reply && !reply.sent && !reply.raw.headersSent) reply.send(new Failure(outcomeOf(reply.request.raw)))
    later(() => server.closeAllConnections(), lastWordsMs)
  }

  const closeIdle = server.closeIdleConnections.bind(server)
  const closeWaiting = () => {
    closeIdle()
    // For Node one that never sent anything, as browsers open them ahead of need, is about to and not idle.
    for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy()
  }
  // `close` calls this once it no longer listens.
  server.closeIdleConnections = () => {
    isClosing = true
    for (const { reply } of connections.values()) if (reply && !reply.raw.headersSent) closeAfter(reply)
    // For answers that have begun, with nothing said about the connection. 0 would be for ever.
    server.keepAliveTimeout = Math.max(1, lingerMs)
    server.keepAliveTimeoutBuffer = 0
    // What arrived meanwhile is read before the next turn, however busy it was.
    later(() => void nextTurn().then(closeWaiting), lingerMs)
    later(giveUp, patienceMs)
  }

  return async () => {
    // One connection is accepted in each turn of the event loop: after a turn without any, none is left behind.
    for (let turn = 0, before = -1; accepted !== before && turn < maxTurns; turn++) {
      before = accepted
      await nextTurn()
    }
    await app.close()
    for (const timer of timers) clearTimeout(timer)
  }
}

/** Has a response close its connection, whoever sends it. */
const closeAfter = ({ raw }: FastifyReply): void => void raw.setHeader('connection', 'close')

/** A write that has arrived may yet be stored. */
const outcomeOf = ({ method, complete }: IncomingMessage): FailureReason =>
  complete && method !== 'GET' && method !== 'HEAD' ? 'OUTCOME_UNKNOWN' : 'UNAVAILABLE'

/** The first callback may still come in this turn, without a look at the network before it. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)))
