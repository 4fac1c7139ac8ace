import type { CachedResponse } from './cached-response.ts'

/** What a response takes besides its bytes, roughly: its key and objects. */
const overhead = 1_000

/**
 * Cached responses by key, at most so many bytes of them. Beyond that those are evicted first that were not asked for
 * since they were last passed over (the "second chance" policy): a hit costs a mark rather than a move to the front.
 */
export class CachedResponses {
  readonly #maxBytes: number
  readonly #responses = new Map<string, { response: CachedResponse; isUsed: boolean }>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(key: string): CachedResponse | undefined {
    const entry = this.#responses.get(key)
    if (!entry) return undefined
    entry.isUsed = true
    return entry.response
  }

  set(key: string, response: CachedResponse): void {
    this.delete(key)
    response.detach()
    this.#responses.set(key, { response, isUsed: false })
    this.#bytes += response.size + overhead
    for (const [oldest, entry] of this.#responses) {
      if (this.#bytes <= this.#maxBytes) break
      this.#responses.delete(oldest)
      if (entry.isUsed) this.#responses.set(oldest, { response: entry.response, isUsed: false })
      else this.#bytes -= entry.response.size + overhead
    }
  }

  delete(key: string): void {
    const entry = this.#responses.get(key)
    if (!entry) return
    this.#responses.delete(key)
    this.#bytes -= entry.response.size + overhead
  }
}
