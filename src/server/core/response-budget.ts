import type { ServerResponse } from 'node:http'
import { Failure } from '../failure.ts'

/** With more bytes than this waiting to be sent, no large response is added. */
const maxBytes = 64 * 1024 * 1024

/** Smaller responses are always admitted: to fill the memory with them would take more clients than can connect. */
const largeBytes = 1024 * 1024

/**
 * Bounds the bytes of responses that clients have not taken yet. A response may be tens of megabytes, and a client that
 * asks for many, or reads none, must not fill the memory. Bytes that several responses share count once.
 */
export class ResponseBudget {
  readonly #takers = new Map<object, number>()
  #bytes = 0

  /** @param size in bytes @throws Failure UNAVAILABLE for a large response while too many bytes wait */
  admit(size: number): void {
    if (size > largeBytes && this.#bytes > maxBytes) throw new Failure('UNAVAILABLE')
  }

  /** Counts bytes until `response` is sent or its client has gone. @param bytes the object that takes the memory */
  reserve(response: ServerResponse, bytes: object, size: number): void {
    // A response whose client has gone already never closes again.
    if (response.closed || response.destroyed) return
    const takers = this.#takers.get(bytes) ?? 0
    this.#takers.set(bytes, takers + 1)
    if (takers === 0) this.#bytes += size
    response.once('close', () => this.#release(bytes, size))
  }

  #release(bytes: object, size: number): void {
    const takers = (this.#takers.get(bytes) ?? 0) - 1
    if (takers > 0) {
      this.#takers.set(bytes, takers)
      return
    }
    this.#takers.delete(bytes)
    this.#bytes -= size
  }
}
