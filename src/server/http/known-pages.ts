import type { Wanted } from '../pages/pages.ts'

/** Each takes about a kilobyte. */
const mostKnown = 10_000

/**
 * Addresses that have led to a page, with how it is made: what was routed, parsed and checked once need not be again.
 * Those that came first go first.
 */
export class KnownPages {
  readonly #known = new Map<string, Wanted>()

  get(key: string): Wanted | undefined {
    return this.#known.get(key)
  }

  /** @param wanted is asked for by a path that is its key, and stays right whenever and by whomever it is asked for */
  remember(wanted: Wanted): void {
    if (this.#known.has(wanted.key)) return
    const oldest = this.#known.size >= mostKnown ? this.#known.keys().next().value : undefined
    if (oldest !== undefined) this.#known.delete(oldest)
    this.#known.set(wanted.key, wanted)
  }
}
