import { Gauge, Histogram, type MetricValueWithName } from 'prom-client'
import { bounds, type Counts, type ResponseCounts } from './response-counts.ts'

const config = {
  name: 'summit_response_seconds',
  help: 'Time from a request to the end of its response.',
  labelNames: ['operation' as const],
}

/**
 * A histogram whose values are computed from the counts at each scrape. It extends `Gauge` since prom-client reads a
 * gauge by its public `get()` alone, but a `Histogram` by undocumented methods as well.
 */
export class ResponseDuration extends Gauge<'operation' | 'le'> {
  readonly #counts: ResponseCounts
  /** Provides the type and the aggregator of a histogram. */
  readonly #empty = new Histogram({ ...config, buckets: bounds, registers: [] })

  constructor(counts: ResponseCounts) {
    super({ ...config, registers: [] })
    this.#counts = counts
  }

  override async get() {
    const values = Array.from(this.#counts.entries(), ([operation, counts]) => valuesOf(operation, counts))
    return { ...(await this.#empty.get()), values: values.flat() }
  }
}

function valuesOf(operation: string, { byDuration, seconds }: Readonly<Counts>) {
  let total = 0
  const buckets = byDuration.map((count, index): MetricValueWithName<'operation' | 'le'> => {
    total += count
    return { metricName: `${config.name}_bucket`, labels: { le: bounds[index] ?? '+Inf', operation }, value: total }
  })
  return [
    ...buckets,
    { metricName: `${config.name}_sum`, labels: { operation }, value: seconds },
    { metricName: `${config.name}_count`, labels: { operation }, value: total },
  ]
}
