import type { Socket } from 'node:net'

/**
 * Stops and starts the reading from a connection. To pause a request is not enough: Node goes on reading until it holds
 * 64 KiB of its body, which are 65,536 objects if they come byte by byte.
 */
export class SocketValve {
  readonly #socket: Socket
  #isShut = false

  constructor(socket: Socket) {
    this.#socket = socket
  }

  shut(): void {
    if (this.#isShut) return
    this.#isShut = true
    // Node resumes the socket whenever a request of it has room for more.
    this.#socket.on('resume', this.#pause)
    this.#socket.pause()
  }

  open(): void {
    if (!this.#isShut) return
    this.#isShut = false
    this.#socket.off('resume', this.#pause)
    this.#socket.resume()
  }

  readonly #pause = (): void => void this.#socket.pause()
}
