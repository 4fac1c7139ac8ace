import Fastify from 'fastify'
import { AggregatorRegistry, Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { LogSink } from '../logging/log-sink.ts'
import type { ResponseRecord } from '../logging/response-log.ts'
import { createProcessRegistry, mountMetrics } from './metrics.ts'

/** The samples of a metric, without its description, sorted. */
const linesOf = (text: string, metric: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith(metric))
    .sort()

/** The lines that the main process prints for two workers with identical metrics. */
async function aggregateOfTwo(registry: Registry) {
  const collected = [await registry.getMetricsAsJSON(), await registry.getMetricsAsJSON()]
  return linesOf(await AggregatorRegistry.aggregate(collected).metrics(), 'summit_response_seconds')
}

test('response durations are reported exactly as by a prom-client histogram, alone and aggregated', async () => {
  const registry = new Registry()
  const count = mountMetrics(Fastify(), '.', new LogSink(1), { registry })
  const expected = new Registry()
  const histogram = new Histogram({
    ...{ name: 'summit_response_seconds', help: 'Seconds.', labelNames: ['operation'], registers: [expected] },
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
  })
  for (const operation of ['listTopics', undefined] as const)
    for (const ms of [0, 0.5, 1, 1.001, 5, 49, 50, 999, 10_000, 10_001]) {
      const record: ResponseRecord = { requestId: '', operation, method: 'GET', responseCode: 1000, status: 200, ms }
      count(record)
      histogram.observe({ operation: operation ?? 'other' }, ms / 1000)
    }
  const lines = linesOf(await registry.metrics(), 'summit_response_seconds')
  expect(lines).toHaveLength(24)
  expect(lines).toEqual(linesOf(await expected.metrics(), 'summit_response_seconds'))
  const aggregated = await aggregateOfTwo(registry)
  expect(aggregated).toHaveLength(24)
  expect(aggregated).toEqual(await aggregateOfTwo(expected))
})

test('repeated scrapes count no response twice', async () => {
  const registry = new Registry()
  const count = mountMetrics(Fastify(), '.', new LogSink(1), { registry })
  const record: ResponseRecord = {
    requestId: '',
    operation: 'getTopic',
    method: 'GET',
    responseCode: 0,
    status: 404,
    ms: 1,
  }
  count(record)
  await registry.metrics()
  count({ ...record, responseCode: 1000, status: 200 })
  count(record)
  expect(linesOf(await registry.metrics(), 'summit_responses_total')).toEqual([
    'summit_responses_total{operation="getTopic",response_code="1000"} 1',
    'summit_responses_total{operation="getTopic",response_code="4040"} 2',
  ])
})

test('the free space of a disk that workers share is not added up', async () => {
  const registry = new Registry()
  mountMetrics(Fastify(), '.', new LogSink(1), { registry })
  const one = await registry.getMetricsAsJSON()
  const free = one.find(({ name }) => name === 'summit_data_free_bytes')?.values[0]?.value
  const text = await AggregatorRegistry.aggregate([one, one]).metrics()
  expect(linesOf(text, 'summit_data_free_bytes')).toEqual([`summit_data_free_bytes ${free}`])
})

test('a process reports its processor time, memory and event loop beside the metrics of the app', async () => {
  const registry = createProcessRegistry()
  mountMetrics(Fastify(), '.', new LogSink(1), { registry })
  const text = await registry.metrics()
  for (const metric of [
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_p99_seconds',
  ])
    expect(linesOf(text, metric)).toHaveLength(1)
  expect(linesOf(text, 'summit_build_info')).toHaveLength(1)
})
