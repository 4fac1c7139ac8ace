import { AggregatorRegistry, type Registry } from 'prom-client'
import type { FromWorker, Metrics, ToWorker } from './messages.ts'

/** A worker that does not answer within this time is left out. */
const timeoutMs = 2_000

/**
 * In a worker: the metrics of all of them, since whoever scrapes reaches only one.
 * @returns `scrape`, and what takes the messages to this worker
 */
export function requestMetrics(registry: Registry, say: (message: FromWorker) => void) {
  const waiting = new Map<number, (text: string) => void>()
  let asked = 0
  const scrape = () =>
    new Promise<string>((resolve) => {
      waiting.set(++asked, resolve)
      say({ kind: 'metrics of all wanted', id: asked })
    })
  const take = async (message: ToWorker) => {
    if (message.kind === 'metrics wanted')
      say({ kind: 'metrics', id: message.id, metrics: await registry.getMetricsAsJSON() })
    if (message.kind === 'metrics of all') {
      waiting.get(message.id)?.(message.text)
      waiting.delete(message.id)
    }
  }
  return { scrape, take }
}

/** Where a worker can be asked. */
export interface Asked {
  say(message: ToWorker): void
  /** Calls `take` for each message of the worker, until the returned function is called. */
  listen(take: (message: FromWorker) => void): () => void
}

let lastId = 0

/** In the process that started the workers: collects their metrics and adds them and its own up. */
export async function aggregateMetrics(workers: Iterable<Asked>, registry: Registry): Promise<string> {
  const collected = await Promise.all(Array.from(workers, metricsOf))
  return AggregatorRegistry.aggregate([...collected, await registry.getMetricsAsJSON()]).metrics()
}

function metricsOf(worker: Asked): Promise<Metrics> {
  const id = ++lastId
  return new Promise((resolve) => {
    const settle = (metrics: Metrics) => {
      clearTimeout(late)
      forget()
      resolve(metrics)
    }
    const late = setTimeout(() => settle([]), timeoutMs)
    const forget = worker.listen((message) => {
      if (message.kind === 'metrics' && message.id === id) settle(message.metrics)
    })
    worker.say({ kind: 'metrics wanted', id })
  })
}
