import type { FastifyBaseLogger } from 'fastify'
import { Registry } from 'prom-client'
import type { Config } from '../../config.ts'
import { countDroppedLines } from '../../ops/dropped-lines.ts'
import { createLogger } from '../../ops/log.ts'
import type { LogSink } from '../../ops/log-sink.ts'
import { type InstanceOptions, openInstance } from '../instance.ts'
import { WorkerPool } from './worker-pool.ts'

/** A summit that is served, by whichever processes. */
export interface Served {
  address: string
  log: FastifyBaseLogger
  /** Lets the requests under way finish, and closes what was opened. */
  close(): Promise<void>
}

/** As the function may end the process, it is not left to choice. */
export type WorkersOptions = InstanceOptions &
  Required<Pick<InstanceOptions, 'onSyncError'>> & { lingerMs: number; sink: LogSink }

/**
 * Serves the summit from `config.workers` processes. This one is in charge of it and answers no request.
 * @throws CannotOpen, NoWorker, or what listening fails with
 */
export async function serveByWorkers(config: Config, { lingerMs, sink, ...options }: WorkersOptions): Promise<Served> {
  const charge = await openInstance(config, options)
  const { log, close: closeLog } = createLogger(config.logLevel, sink)
  const registry = new Registry()
  countDroppedLines(registry, sink)
  try {
    const { workers } = config
    const { port } = charge
    const crew = await WorkerPool.start({ workers, port, lingerMs, log, registry, onSyncError: options.onSyncError })
    charge.sweep(log)
    const close = async () => {
      await crew.stop()
      await charge.close()
      closeLog()
    }
    return { address: crew.address, log, close }
  } catch (error) {
    await charge.close()
    throw error
  }
}
