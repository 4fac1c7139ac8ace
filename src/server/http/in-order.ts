import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of one connection that may wait; with more of them it is not read from, so that they take no more memory. */
const mostWaiting = 100

interface Connection {
  last: ServerResponse
  waiting: number
}

/**
 * Handles the requests of a connection one after the other. Node begins each as soon as it has arrived and only keeps
 * its answer back, but what was sent after a write has to see it (RFC 9112, 9.3.2).
 */
export class InOrder {
  readonly #connections = new WeakMap<Socket, Connection>()

  /** The last answer on a connection, given or not. */
  lastAnswer(socket: Socket): ServerResponse | undefined {
    return this.#connections.get(socket)?.last
  }

  handle(request: IncomingMessage, response: ServerResponse, listener: RequestListener): void {
    const { socket } = request
    const connection = this.#connections.get(socket)
    if (!connection) {
      this.#connections.set(socket, { last: response, waiting: 0 })
      listener(request, response)
      return
    }
    const before = connection.last
    connection.last = response
    if (before.writableFinished) listener(request, response)
    else this.#wait(connection, before, socket, () => listener(request, response))
  }

  #wait(connection: Connection, before: ServerResponse, socket: Socket, begin: () => void): void {
    connection.waiting++
    if (connection.waiting > mostWaiting) socket.pause()
    before.once('close', () => {
      connection.waiting--
      // Nobody is left to be answered.
      if (socket.destroyed) return
      if (connection.waiting === mostWaiting) socket.resume()
      begin()
    })
  }
}
