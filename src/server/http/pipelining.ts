import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { hasBody } from './request/drain-body.ts'

/** Requests of one connection that may wait; with more of them it is not read from, so that they take no more memory. */
const maxWaiting = 100

interface Connection {
  /** The answer to the request that was begun last. */
  current: ServerResponse
  /** The answer to the request that arrived last, which may be waiting. */
  last: ServerResponse
  /** The answer to the request before it, while that one waits. */
  beforeLast?: ServerResponse | undefined
  waiting: number
  /** Whether nothing more can arrive. */
  isBroken?: true
}

/**
 * Handles the requests of a connection one after the other. Node begins each as soon as it has arrived and only keeps
 * its answer back, but what was sent after a write has to see it (RFC 9112, 9.3.2).
 */
export class Pipelining {
  readonly #connections = new WeakMap<Socket, Connection>()

  /**
   * For a connection on which no further request can arrive. Calls back once, when all that has arrived whole is
   * answered: a write that is done is never to look as if it had failed.
   * @param then is given the answer to a request of which only a part has arrived, if there is one
   */
  afterLast(socket: Socket, then: (toPart: ServerResponse | undefined) => void): void {
    const connection = this.#connections.get(socket)
    if (connection?.isBroken) return
    if (connection) connection.isBroken = true
    const { current, last, beforeLast } = connection ?? {}
    // A delete reads no body: once it has begun it is done.
    const isEnough = last?.req.complete || (last?.req.method === 'DELETE' && last === current)
    const toPart = isEnough ? undefined : last
    const toWhole = toPart ? beforeLast : last
    if (!toWhole || toWhole.closed) then(toPart)
    else toWhole.once('close', () => then(toPart))
  }

  handle(request: IncomingMessage, response: ServerResponse, listener: RequestListener): void {
    const { socket } = request
    const connection = this.#connections.get(socket)
    if (!connection) {
      this.#connections.set(socket, newConnection(socket, response))
      listener(request, response)
      return
    }
    const before = connection.last
    connection.last = response
    const begin = () => {
      // Once an answer has closed the connection, what was sent behind it is not to be done (RFC 9112, 9.6).
      // Nor is what can never arrive whole.
      if (!socket.writable || (connection.isBroken && !request.complete)) return
      connection.current = response
      listener(request, response)
    }
    if (before.writableFinished) begin()
    else {
      if (hasBody(request)) process.nextTick(joinReceived, request)
      wait(connection, before, socket, begin)
    }
  }
}

function newConnection(socket: Socket, first: ServerResponse): Connection {
  const connection = { current: first, last: first, waiting: 0 }
  // Node itself resumes the socket after each request that it has read.
  socket.on('resume', () => pauseIfEnough(connection, socket))
  return connection
}

function wait(connection: Connection, before: ServerResponse, socket: Socket, begin: () => void): void {
  connection.waiting++
  connection.beforeLast = before
  before.once('close', () => {
    connection.waiting--
    if (connection.beforeLast === before) connection.beforeLast = undefined
    if (socket.isPaused()) socket.resume()
    begin()
  })
  pauseIfEnough(connection, socket)
}

/** The body of a request that waits is not received before its turn, see `joinReceived`. */
function pauseIfEnough({ waiting, last: { req } }: Connection, socket: Socket): void {
  if (waiting > maxWaiting || (waiting > 0 && !req.complete && hasBody(req))) socket.pause()
}

/** What has come of a body along with its head: up to 64 KiB, which may be as many objects. */
function joinReceived(request: IncomingMessage): void {
  if (request.readableFlowing !== null) return
  const received: Buffer | null = request.read()
  if (received) request.unshift(received)
}
