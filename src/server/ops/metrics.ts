import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Answered } from './answered.ts'

/**
 * Serves `/metrics` in Prometheus' text format: answers by operation and response_code, their duration, the process.
 * @returns what counts an answer
 */
export function mountMetrics(app: FastifyInstance): (answered: Answered) => void {
  const registry = new Registry()
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
  app.get('/metrics', async (_request, reply) =>
    reply.header('content-type', registry.contentType).send(await registry.metrics()),
  )
  return ({ operation = 'other', responseCode, status, ms }) => {
    answers.inc({ operation, response_code: responseCode || status * 10 })
    seconds.observe({ operation }, ms / 1000)
  }
}
