import type { Page } from './page.ts'

/** What a page takes besides its bytes, roughly: its key and objects. */
const overhead = 1_000

/**
 * Pages by key, at most so many bytes of them. When there are too many, those go first that nobody asked for since
 * they were last passed over ("second chance"): a hit then costs a mark rather than a move to the front.
 */
export class KeptPages {
  readonly #maxBytes: number
  readonly #pages = new Map<string, { page: Page; isUsed: boolean }>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(key: string): Page | undefined {
    const kept = this.#pages.get(key)
    if (!kept) return undefined
    kept.isUsed = true
    return kept.page
  }

  set(key: string, page: Page): void {
    this.delete(key)
    page.keep()
    this.#pages.set(key, { page, isUsed: false })
    this.#bytes += page.size + overhead
    for (const [oldest, kept] of this.#pages) {
      if (this.#bytes <= this.#maxBytes) break
      this.#pages.delete(oldest)
      if (kept.isUsed) this.#pages.set(oldest, { page: kept.page, isUsed: false })
      else this.#bytes -= kept.page.size + overhead
    }
  }

  delete(key: string): void {
    const kept = this.#pages.get(key)
    if (!kept) return
    this.#pages.delete(key)
    this.#bytes -= kept.page.size + overhead
  }
}
