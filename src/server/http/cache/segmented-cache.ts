import { LRUCache } from 'lru-cache'

/** The part of the cache for entries that were read again. The rest is for new ones, which need time for that. */
const protectedShare = 0.8

/**
 * A cache from which a flood of entries that are read once evicts only others like them: an entry that is read again
 * moves to a protected segment, whose least recently used entry moves back in turn (segmented LRU).
 */
export class SegmentedCache<Value extends {}> {
  readonly #maxSize: number
  readonly #new: LRUCache<string, Value>
  readonly #protected: LRUCache<string, Value>

  constructor(maxSize: number, sizeOf: (value: Value) => number) {
    // 0 would mean unlimited.
    this.#maxSize = Math.max(1, maxSize)
    const options = { maxSize: this.#maxSize, sizeCalculation: sizeOf }
    this.#new = new LRUCache(options)
    this.#protected = new LRUCache(options)
  }

  get(key: string): Value | undefined {
    const found = this.#protected.get(key)
    if (found) return found
    const again = this.#new.get(key)
    if (again) this.#protect(key, again)
    return again
  }

  /** Adds or replaces an entry, unless it is larger than the cache. */
  set(key: string, value: Value): void {
    const segment = this.#protected.has(key) ? this.#protected : this.#new
    segment.set(key, value)
    while (this.#new.calculatedSize + this.#protected.calculatedSize > this.#maxSize) {
      const others = this.#new.size - (segment === this.#new ? 1 : 0)
      // The entry itself stays: a large page is worth more than the few that it evicts.
      if (others > 0) this.#new.pop()
      else this.#protected.pop()
    }
  }

  #protect(key: string, value: Value): void {
    this.#new.delete(key)
    this.#protected.set(key, value)
    while (this.#protected.calculatedSize > this.#maxSize * protectedShare && this.#protected.size > 1) {
      const [oldest = ''] = this.#protected.rkeys()
      const demoted = this.#protected.peek(oldest)
      this.#protected.delete(oldest)
      if (demoted) this.#new.set(oldest, demoted)
    }
  }
}
