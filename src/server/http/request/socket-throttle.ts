import type { Socket } from 'node:net'

/**
 * Pauses and resumes reading from a connection. Pausing a request is not enough: Node keeps reading until it has
 * buffered 64 KiB of its body, which are 65,536 objects if they arrive byte by byte.
 */
export class SocketThrottle {
  readonly #socket: Socket
  #isPaused = false

  constructor(socket: Socket) {
    this.#socket = socket
  }

  pause(): void {
    if (this.#isPaused) return
    this.#isPaused = true
    // Node resumes the socket whenever one of its requests can buffer more.
    this.#socket.on('resume', this.#pauseSocket)
    this.#socket.pause()
  }

  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#socket.off('resume', this.#pauseSocket)
    this.#socket.resume()
  }

  readonly #pauseSocket = (): void => void this.#socket.pause()
}
