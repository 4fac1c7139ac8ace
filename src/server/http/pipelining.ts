import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { hasBody } from './request/body-stream.ts'

/** Time limit for a client to send its request headers. */
export const headersTimeoutMs = 10_000

/** Requests that may wait on one connection. Beyond that the connection is paused, to bound memory. */
const maxWaiting = 100

interface Connection {
  /** The response to the request that was started last. */
  current: ServerResponse
  /** The response to the request that arrived last, which may still be waiting. */
  last: ServerResponse
  /** The response to the request before `last`, while `last` waits. */
  beforeLast?: ServerResponse | undefined
  waiting: number
  /** No further request can arrive. */
  isBroken?: true
  /** Equal to `last` if the connection was idle at the last check. */
  idleAfter?: ServerResponse | undefined
}

/**
 * Handles the requests of a connection one after the other. Node starts each as soon as it arrives and only holds back
 * its response, but a request sent after a write has to see the write (RFC 9112, 9.3.2).
 */
export class Pipelining {
  readonly #connections = new Map<Socket, Connection>()

  /**
   * For a connection on which no further request can arrive. Calls back once, after the last response to a request that
   * arrived completely: a write that succeeded must never appear to have failed.
   * @param callback receives the response to an incomplete request, if there is one that can still be rejected, or that
   *   had been sent before
   */
  afterLastResponse(socket: Socket, callback: (incomplete: ServerResponse | undefined) => void): void {
    const connection = this.#connections.get(socket)
    if (connection?.isBroken) return
    if (connection) connection.isBroken = true
    const { current, last, beforeLast } = connection ?? {}
    // A request that reads no body completes once it is started.
    const willComplete = last?.req.complete || (last === current && !readsBody(last?.req))
    const awaited = willComplete ? last : beforeLast
    const incomplete = last?.req.complete || (willComplete && !last?.headersSent) ? undefined : last
    if (!awaited || awaited.closed) callback(incomplete)
    else awaited.once('close', () => callback(incomplete))
  }

  /**
   * For a connection on which a head was not read within {@link headersTimeoutMs}. Calls back only if the client is late:
   * behind requests that take long the connection is not read, and after the process was stopped, timers run first.
   */
  ifHeadIsLate(socket: Socket, callback: () => void): void {
    const last = this.#connections.get(socket)?.last
    const check = () => {
      if (this.#connections.get(socket)?.last === last && !socket.destroyed) callback()
    }
    // What has arrived is read in the next turn of the event loop.
    if (!last || last.closed) setImmediate(check)
    // Node does not watch this head any more.
    else last.once('close', () => setTimeout(check, headersTimeoutMs).unref())
  }

  /**
   * Closes the connections that were idle at the previous call and have received no request since. Node restarts its
   * own timeout with every byte, also with the line breaks that are allowed before a request (RFC 9112, 2.2).
   */
  closeIdle(): void {
    for (const [socket, connection] of this.#connections) {
      const { last, idleAfter } = connection
      if (idleAfter === last) socket.destroy()
      connection.idleAfter = last.closed ? last : undefined
    }
  }

  /** Creates a listener that passes the requests of each connection on to `listener` one after the other. */
  oneByOne(listener: RequestListener): RequestListener {
    return (request, response) => this.#handle(request, response, listener)
  }

  #handle(request: IncomingMessage, response: ServerResponse, listener: RequestListener): void {
    const { socket } = request
    const connection = this.#connections.get(socket)
    if (!connection) {
      this.#connections.set(socket, trackConnection(socket, response))
      socket.once('close', () => this.#connections.delete(socket))
      listener(request, response)
      return
    }
    const previous = connection.last
    connection.last = response
    const start = () => {
      // Requests behind a response that closed the connection must not be handled (RFC 9112, 9.6), nor can
      // one whose body never arrives completely.
      if (!socket.writable || (connection.isBroken && !request.complete)) return
      connection.current = response
      listener(request, response)
    }
    if (previous.writableFinished) start()
    else {
      if (hasBody(request)) process.nextTick(mergeBufferedBody, request)
      enqueue(connection, previous, socket, start)
    }
  }
}

/** Operations of other methods read none, even if their headers announce one. */
const readsBody = (request: IncomingMessage | undefined): boolean =>
  request?.method === 'POST' || request?.method === 'PUT'

function trackConnection(socket: Socket, first: ServerResponse): Connection {
  const connection = { current: first, last: first, waiting: 0 }
  // Node resumes the socket after each request that it has parsed.
  socket.on('resume', () => pauseIfFull(connection, socket))
  return connection
}

function enqueue(connection: Connection, previous: ServerResponse, socket: Socket, start: () => void): void {
  connection.waiting++
  connection.beforeLast = previous
  previous.once('close', () => {
    connection.waiting--
    if (connection.beforeLast === previous) connection.beforeLast = undefined
    if (socket.isPaused()) socket.resume()
    start()
  })
  pauseIfFull(connection, socket)
}

/** Pauses also while the body of a waiting request is incomplete: it is received when its turn comes. */
function pauseIfFull({ waiting, last: { req } }: Connection, socket: Socket): void {
  if (waiting > maxWaiting || (waiting > 0 && !req.complete && hasBody(req))) socket.pause()
}

/** Merges the part of a body that arrived along with its head: up to 64 KiB, possibly as one object per byte. */
function mergeBufferedBody(request: IncomingMessage): void {
  if (request.readableFlowing !== null) return
  const received: Buffer | null = request.read()
  if (received) request.unshift(received)
}
