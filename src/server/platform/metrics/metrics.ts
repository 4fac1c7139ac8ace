import { statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { version } from '../../core/version.ts'
import type { LogSink } from '../logging/log-sink.ts'
import type { ResponseRecord } from '../logging/response-log.ts'
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
    name: 'summit_responses_total',
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

/**
 * Creates the registry of this process, with its processor time, memory and event loop. Call it once per process, as
 * its collectors are never stopped.
 */
export function createProcessRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

export function countDroppedLines(registry: Registry, sink: LogSink): void {
  new Counter({
    name: 'summit_log_lines_dropped_total',
    help: 'Log lines that were dropped because the reader or storage of the log could not keep up.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(sink.dropped)
    },
  })
}

/**
 * Adds a gauge of the free bytes on the file system of `dir`, read at each scrape; it has no value while that cannot be
 * read, for example because the folder is missing.
 */
function measureFreeSpace(registry: Registry, dir: string): void {
  new Gauge({
    name: 'summit_data_free_bytes',
    help: 'Free bytes on the file system of DATA_DIR.',
    registers: [registry],
    // All workers share one disk.
    aggregator: 'min',
    async collect() {
      const stats = await statfs(dir).catch(() => undefined)
      // `bavail` excludes blocks that are reserved for root.
      if (stats) this.set(stats.bavail * stats.bsize)
      else this.remove()
    },
  })
}
