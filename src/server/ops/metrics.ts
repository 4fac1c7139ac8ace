import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Histogram, type MetricValueWithName, Registry } from 'prom-client'
import { countDroppedLines } from './dropped-lines.ts'
import { measureFreeSpace } from './free-space.ts'
import type { LogSink } from './log-sink.ts'
import { bounds, type Counts, ResponseCounts } from './response-counts.ts'
import type { ResponseRecord } from './response-record.ts'

export interface MetricsOptions {
  /** Where this process counts. */
  registry?: Registry
  /** What `/metrics` answers; by itself what is in the registry. */
  scrape?: () => Promise<string>
}

/**
 * Serves `/metrics` in Prometheus' text format: answers by operation and response_code, their duration, the process,
 * the room for what is kept, and the lines that the log lost.
 * @returns what counts an answer
 */
export function mountMetrics(
  app: FastifyInstance,
  dataDir: string,
  sink: LogSink,
  { registry = new Registry(), scrape = () => registry.metrics() }: MetricsOptions,
): (answered: ResponseRecord) => void {
  collectDefaultMetrics({ register: registry })
  measureFreeSpace(registry, dataDir)
  countDroppedLines(registry, sink)
  const counts = new ResponseCounts()
  new Counter({
    name: 'summit_answers_total',
    help: 'Answers by operation and response_code; for bytes the HTTP status times ten stands for the code.',
    labelNames: ['operation', 'response_code'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [operation, { ofCode }] of counts.entries())
        for (const [response_code, answers] of ofCode) this.inc({ operation, response_code }, answers)
    },
  })
  registry.registerMetric(new AnswerSeconds(counts))
  app.get('/metrics', async (_request, reply) =>
    reply.header('content-type', registry.contentType).send(await scrape()),
  )
  return (answered) => counts.add(answered)
}

const durations = {
  name: 'summit_answer_seconds',
  help: 'Time from the request to the end of its answer.',
  labelNames: ['operation' as const],
  buckets: bounds,
  registers: [],
}

/** A histogram whose values are taken from the counts when it is asked for them. */
class AnswerSeconds extends Histogram<'operation' | 'le'> {
  readonly #counts: ResponseCounts
  /** Knows the rest of what the registry asks for: a histogram's own `get` would come back to ours for the values. */
  readonly #empty = new Histogram(durations)

  constructor(counts: ResponseCounts) {
    super(durations)
    this.#counts = counts
  }

  override async get() {
    const values = Array.from(this.#counts.entries(), ([operation, counts]) => valuesOf(operation, counts))
    return { ...(await this.#empty.get()), values: values.flat() }
  }

  /** Which the registry asks instead where it prints the values. */
  getForPromString() {
    return this.get()
  }
}

function valuesOf(operation: string, { upTo, seconds }: Readonly<Counts>) {
  let count = 0
  const buckets = upTo.map((answers, nth): MetricValueWithName<'operation' | 'le'> => {
    count += answers
    return { metricName: `${durations.name}_bucket`, labels: { le: bounds[nth] ?? '+Inf', operation }, value: count }
  })
  return [
    ...buckets,
    { metricName: `${durations.name}_sum`, labels: { operation }, value: seconds },
    { metricName: `${durations.name}_count`, labels: { operation }, value: count },
  ]
}
