import type { FastifyBaseLogger } from 'fastify'
import { Registry } from 'prom-client'
import type { Config } from '../config/config.ts'
import { createLogger } from '../platform/logging/log.ts'
import type { LogSink } from '../platform/logging/log-sink.ts'
import { countDroppedLines } from '../platform/metrics/metrics.ts'
import { type InstanceOptions, openInstance } from './instance.ts'
import { WorkerPool } from './workers/worker-pool.ts'

/** A running summit, served by this process or by workers. */
export interface RunningService {
  address: string
  log: FastifyBaseLogger
  /** Finishes the requests in progress and closes everything that was opened. */
  close(): Promise<void>
}

/** `onSyncError` is required here, as the workers have already been killed when it is called. */
export type WorkersOptions = InstanceOptions &
  Required<Pick<InstanceOptions, 'onSyncError'>> & { lingerMs: number; sink: LogSink }

/**
 * Serves the summit from `config.workers` processes. This process manages them and serves no requests.
 * @throws CannotOpen, WorkerStartError, or the error of `listen`
 */
export async function serveWithWorkers(
  config: Config,
  { lingerMs, sink, ...options }: WorkersOptions,
): Promise<RunningService> {
  const instance = await openInstance(config, options)
  const { log, close: closeLog } = createLogger(config.logLevel, sink)
  const registry = new Registry()
  countDroppedLines(registry, sink)
  try {
    const { workers } = config
    const { port } = instance
    const pool = await WorkerPool.start({ workers, port, lingerMs, log, registry, onSyncError: options.onSyncError })
    instance.startOrphanRemoval(log)
    await instance.startRecording(log)
    instance.startBackups(log, registry)
    instance.startRetention(log)
    const close = async () => {
      await pool.stop()
      await instance.close()
      closeLog()
    }
    return { address: pool.address, log, close }
  } catch (error) {
    await instance.close()
    throw error
  }
}
