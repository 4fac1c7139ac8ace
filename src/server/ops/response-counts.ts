import type { ResponseRecord } from './response-record.ts'

/** Seconds up to which answers are counted together. */
export const bounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

/** What the answers of an operation come to. */
export interface Counts {
  /** How many of each code; for bytes and pages the HTTP status times ten. */
  ofCode: Map<number, number>
  /** How many took at most so long, and longer than the bound before; the last took longer than any bound. */
  upTo: number[]
  seconds: number
}

/** Answers, counted by operation: a few additions each, where prom-client took a tenth of what a kept page takes (decision 12). */
export class ResponseCounts {
  readonly #ofOperation = new Map<string, Counts>()

  add({ operation, responseCode, status, ms }: ResponseRecord): void {
    const counts = this.#countsOf(operation ?? 'other')
    const code = responseCode || status * 10
    counts.ofCode.set(code, (counts.ofCode.get(code) ?? 0) + 1)
    const seconds = ms / 1000
    let at = 0
    while (at < bounds.length && seconds > (bounds[at] ?? 0)) at++
    counts.upTo[at] = (counts.upTo[at] ?? 0) + 1
    counts.seconds += seconds
  }

  entries(): Iterable<[operation: string, counts: Readonly<Counts>]> {
    return this.#ofOperation.entries()
  }

  #countsOf(operation: string): Counts {
    const known = this.#ofOperation.get(operation)
    if (known) return known
    const counts = { ofCode: new Map<number, number>(), upTo: Array(bounds.length + 1).fill(0), seconds: 0 }
    this.#ofOperation.set(operation, counts)
    return counts
  }
}
