import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export interface MetricsOptions {
  /** Where this process counts. */
  registry?: Registry
  /** What `/metrics` answers; by itself what is in the registry. */
  scrape?: () => Promise<string>
}

/** Serves `/metrics` in Prometheus' text format: answers by operation and response_code, their duration, the process. */
export function mountMetrics(
  app: FastifyInstance,
  { registry = new Registry(), scrape = () => registry.metrics() }: MetricsOptions,
): void {
  collectDefaultMetrics({ register: registry })
  const answers = new Counter({
    name: 'summit_answers_total',
    help: 'Answers by operation and response_code; for bytes the HTTP status times ten stands for the code.',
    labelNames: ['operation', 'response_code'],
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'summit_answer_seconds',
    help: 'Time from the request to the end of its answer.',
    labelNames: ['operation'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const operation = request.routeOptions.config?.operation ?? 'other'
    answers.inc({ operation, response_code: request.responseCode || reply.statusCode * 10 })
    seconds.observe({ operation }, reply.elapsedTime / 1000)
  })
  app.get('/metrics', async (_request, reply) =>
    reply.header('content-type', registry.contentType).send(await scrape()),
  )
}
