/** Each takes about a kilobyte. */
const mostKnown = 10_000

/**
 * Addresses that have led somewhere, with what is found there: what was routed, parsed and checked once need not be again.
 * Those that came first go first.
 */
export class Known<T> {
  readonly #known = new Map<string, T>()

  get(address: string): T | undefined {
    return this.#known.get(address)
  }

  /** @param found stays right whenever and by whomever it is asked for */
  remember(address: string, found: T): void {
    if (this.#known.has(address)) return
    const oldest = this.#known.size >= mostKnown ? this.#known.keys().next().value : undefined
    if (oldest !== undefined) this.#known.delete(oldest)
    this.#known.set(address, found)
  }
}
