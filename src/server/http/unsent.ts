import type { ServerResponse } from 'node:http'
import { Failure } from '../failure.ts'

/** With more than this on its way, nothing large is added. */
const mostBytes = 64 * 1024 * 1024

/** Smaller answers are always given: so many of them that they fill the memory would need more clients than connect. */
const largeBytes = 1024 * 1024

/**
 * Bytes of answers that their clients have not taken yet. A page may be tens of megabytes, and whoever asks for many of
 * them, or takes none, must not fill the memory. What several are taking counts once.
 */
export class Unsent {
  readonly #takers = new Map<object, number>()
  #bytes = 0

  /** @param size in bytes @throws Failure UNAVAILABLE for a large answer while too much is on its way */
  refuseLarge(size: number): void {
    if (size > largeBytes && this.#bytes > mostBytes) throw new Failure('UNAVAILABLE')
  }

  /** Counts bytes that are given to `response` until it is sent, or its client has gone. @param bytes what takes the memory */
  hold(response: ServerResponse, bytes: object, size: number): void {
    // Whose client has gone before its answer closes no more.
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
