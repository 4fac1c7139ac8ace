import Fastify from 'fastify'
import { AggregatorRegistry, Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { LogSink } from './log-sink.ts'
import { mountMetrics } from './metrics.ts'
import type { ResponseRecord } from './response-record.ts'

/** The lines of a metric without its description, in any order. */
const linesOf = (text: string, metric: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith(metric))
    .sort()

/** What the process in charge of two workers that have counted the same prints. */
async function sumOfTwo(registry: Registry) {
  const collected = [await registry.getMetricsAsJSON(), await registry.getMetricsAsJSON()]
  return linesOf(await AggregatorRegistry.aggregate(collected).metrics(), 'summit_answer_seconds')
}

test('answers are counted by their time as a histogram of prom-client would, bounds and all', async () => {
  const registry = new Registry()
  const count = mountMetrics(Fastify(), '.', new LogSink(1), { registry })
  const expected = new Registry()
  const histogram = new Histogram({
    ...{ name: 'summit_answer_seconds', help: 'Seconds.', labelNames: ['operation'], registers: [expected] },
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
  })
  for (const operation of ['listTopics', undefined] as const)
    for (const ms of [0, 0.5, 1, 1.001, 5, 49, 50, 999, 10_000, 10_001]) {
      const answered: ResponseRecord = { requestId: '', operation, method: 'GET', responseCode: 1000, status: 200, ms }
      count(answered)
      histogram.observe({ operation: operation ?? 'other' }, ms / 1000)
    }
  const lines = linesOf(await registry.metrics(), 'summit_answer_seconds')
  expect(lines).toHaveLength(24)
  expect(lines).toEqual(linesOf(await expected.metrics(), 'summit_answer_seconds'))
  const ofTwo = await sumOfTwo(registry)
  expect(ofTwo).toHaveLength(24)
  expect(ofTwo).toEqual(await sumOfTwo(expected))
})

test('asking twice counts nothing twice', async () => {
  const registry = new Registry()
  const count = mountMetrics(Fastify(), '.', new LogSink(1), { registry })
  const answered: ResponseRecord = {
    requestId: '',
    operation: 'getTopic',
    method: 'GET',
    responseCode: 0,
    status: 404,
    ms: 1,
  }
  count(answered)
  await registry.metrics()
  count({ ...answered, responseCode: 1000, status: 200 })
  count(answered)
  expect(linesOf(await registry.metrics(), 'summit_answers_total')).toEqual([
    'summit_answers_total{operation="getTopic",response_code="1000"} 1',
    'summit_answers_total{operation="getTopic",response_code="4040"} 2',
  ])
})

test('workers that share a disk do not make it larger', async () => {
  const registry = new Registry()
  mountMetrics(Fastify(), '.', new LogSink(1), { registry })
  const one = await registry.getMetricsAsJSON()
  const free = one.find(({ name }) => name === 'summit_data_free_bytes')?.values[0]?.value
  const text = await AggregatorRegistry.aggregate([one, one]).metrics()
  expect(linesOf(text, 'summit_data_free_bytes')).toEqual([`summit_data_free_bytes ${free}`])
})
