import { AggregatorRegistry, type Registry } from 'prom-client'
import type { FromWorker, Metrics, ToWorker } from './messages.ts'

/** A worker that does not respond within this time is left out. */
const timeoutMs = 2_000

/**
 * In a worker: requests the metrics of all workers, as a scrape reaches only one of them.
 * @returns `scrape`, and the handler for messages to this worker
 */
export function requestMetrics(registry: Registry, send: (message: FromWorker) => void) {
  const waiting = new Map<number, (text: string) => void>()
  let lastId = 0
  const scrape = () =>
    new Promise<string>((resolve) => {
      waiting.set(++lastId, resolve)
      send({ kind: 'aggregate requested', id: lastId })
    })
  const handle = async (message: ToWorker) => {
    if (message.kind === 'metrics requested')
      send({ kind: 'metrics', id: message.id, metrics: await registry.getMetricsAsJSON() })
    if (message.kind === 'aggregate') {
      waiting.get(message.id)?.(message.text)
      waiting.delete(message.id)
    }
  }
  return { scrape, handle }
}

/** The message channel to a worker. */
export interface WorkerChannel {
  send(message: ToWorker): void
  /** Calls `handle` for each message of the worker, until the returned function is called. */
  listen(handle: (message: FromWorker) => void): () => void
}

let lastId = 0

/** In the main process: collects the metrics of the workers and adds them to its own. */
export async function aggregateMetrics(workers: Iterable<WorkerChannel>, registry: Registry): Promise<string> {
  const collected = await Promise.all(Array.from(workers, metricsOf))
  return AggregatorRegistry.aggregate([...collected, await registry.getMetricsAsJSON()]).metrics()
}

function metricsOf(worker: WorkerChannel): Promise<Metrics> {
  const id = ++lastId
  return new Promise((resolve) => {
    const settle = (metrics: Metrics) => {
      clearTimeout(timer)
      stopListening()
      resolve(metrics)
    }
    // A response that has arrived by then is read before the next turn, however busy this process was.
    const timer = setTimeout(() => setImmediate(settle, []), timeoutMs)
    const stopListening = worker.listen((message) => {
      if (message.kind === 'metrics' && message.id === id) settle(message.metrics)
    })
    worker.send({ kind: 'metrics requested', id })
  })
}
