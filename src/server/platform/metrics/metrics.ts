import type { FastifyInstance } from 'fastify'
import { Counter, Gauge, type Registry } from 'prom-client'
import { version } from '../../core/version.ts'
import { countDroppedLines } from '../logging/dropped-lines.ts'
import type { LogSink } from '../logging/log-sink.ts'
import type { ResponseRecord } from '../logging/response-record.ts'
import { measureFreeSpace } from './free-space.ts'
import { ResponseCounts } from './response-counts.ts'
import { ResponseDuration } from './response-duration.ts'

export interface MetricsOptions {
  /** The registry to which the app adds its metrics. One from `createProcessRegistry` also has those of the process. */
  registry?: Registry
  /** Returns the body of `/metrics`; by default the metrics of the registry. */
  scrape?: () => Promise<string>
}

/**
 * Serves `/metrics` in Prometheus' text format: responses by operation and response_code, their duration, free disk
 * space, dropped log lines, and the version.
 * @returns a function that counts a response
 */
export function mountMetrics(
  app: FastifyInstance,
  dataDir: string,
  sink: LogSink,
  { registry, scrape = () => registry.metrics() }: MetricsOptions & { registry: Registry },
): (record: ResponseRecord) => void {
  measureFreeSpace(registry, dataDir)
  countDroppedLines(registry, sink)
  reportVersion(registry)
  const counts = new ResponseCounts()
  new Counter({
    name: 'summit_answers_total',
    help: 'Responses by operation and response_code; for files and images the code is the HTTP status times ten.',
    labelNames: ['operation', 'response_code'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [operation, { byCode }] of counts.entries())
        for (const [response_code, count] of byCode) this.inc({ operation, response_code }, count)
    },
  })
  registry.registerMetric(new ResponseDuration(counts))
  app.get('/metrics', async (_request, reply) =>
    reply.header('content-type', registry.contentType).send(await scrape()),
  )
  return counts.add
}

function reportVersion(registry: Registry): void {
  new Gauge({
    name: 'summit_build_info',
    help: 'The version of Summit, as a label; the value is 1.',
    labelNames: ['version'],
    registers: [registry],
    // All workers have one version.
    aggregator: 'first',
  }).set({ version }, 1)
}
