import type { ServerResponse } from 'node:http'
import { Failure } from './failure.ts'

/** While more bytes than this are waiting to be sent, no further large response is admitted. */
const maxBytes = 64 * 1024 * 1024

/** Smaller responses are always admitted: filling memory with them would take more clients than can connect. */
const largeBytes = 1024 * 1024

/**
 * Bounds the bytes of responses that clients have not received yet. A response may be tens of megabytes, and a client
 * that requests many of them, or never reads, must not exhaust memory. Bytes shared by several responses count once.
 */
export class ResponseBudget {
  readonly #users = new Map<object, number>()
  #bytes = 0

  /** @param size in bytes @throws Failure UNAVAILABLE for a large response while too many bytes are waiting */
  admit(size: number): void {
    if (size > largeBytes && this.#bytes > maxBytes) throw new Failure('UNAVAILABLE')
  }

  /** Counts bytes until `response` is sent or its client disconnects. @param bytes the object that holds the memory */
  reserve(response: ServerResponse, bytes: object, size: number): void {
    // If the client has already disconnected, 'close' is not emitted again.
    if (response.closed || response.destroyed) return
    const users = this.#users.get(bytes) ?? 0
    this.#users.set(bytes, users + 1)
    if (users === 0) this.#bytes += size
    response.once('close', () => this.#release(bytes, size))
  }

  #release(bytes: object, size: number): void {
    const users = (this.#users.get(bytes) ?? 0) - 1
    if (users > 0) {
      this.#users.set(bytes, users)
      return
    }
    this.#users.delete(bytes)
    this.#bytes -= size
  }
}
