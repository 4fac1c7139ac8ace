import type { ResponseRecord } from '../logging/response-log.ts'

/** Upper bounds of the duration buckets, in seconds. */
export const bounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

/** Statistics of the responses of an operation. */
export interface Counts {
  /** Responses by response_code; for files, images and HTML by the HTTP status times ten. */
  byCode: Map<number, number>
  /** Responses by duration bucket, not cumulative; the last bucket is for those above all bounds. */
  byDuration: number[]
  /** Sum of all durations. */
  seconds: number
}

/**
 * Counts responses by operation with a few additions each; prom-client took a tenth of the time of a cached response
 * (decision 22).
 */
export class ResponseCounts {
  readonly #byOperation = new Map<string, Counts>()

  readonly add = ({ operation, responseCode, status, ms }: ResponseRecord): void => {
    const counts = this.#countsOf(operation ?? 'other')
    const code = responseCode || status * 10
    counts.byCode.set(code, (counts.byCode.get(code) ?? 0) + 1)
    const seconds = ms / 1000
    let bucket = 0
    while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket++
    counts.byDuration[bucket] = (counts.byDuration[bucket] ?? 0) + 1
    counts.seconds += seconds
  }

  entries(): Iterable<[operation: string, counts: Readonly<Counts>]> {
    return this.#byOperation.entries()
  }

  #countsOf(operation: string): Counts {
    const existing = this.#byOperation.get(operation)
    if (existing) return existing
    const counts = { byCode: new Map<number, number>(), byDuration: Array(bounds.length + 1).fill(0), seconds: 0 }
    this.#byOperation.set(operation, counts)
    return counts
  }
}
