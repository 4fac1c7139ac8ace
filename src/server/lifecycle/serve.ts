import { Registry } from 'prom-client'
import type { AppOptions } from '../app.ts'
import type { Config } from '../config/config.ts'
import type { Context } from '../context.ts'
import { type InstanceOptions, openInstance } from './instance.ts'
import { type ListeningServer, listen } from './start/listen.ts'
import { type DrainOptions, defaultTimeoutMs } from './stop/drain.ts'

/** A summit that is served by this process. */
export interface RunningServer extends ListeningServer {
  ctx: Context
  /** Stops accepting requests, finishes those in progress, and closes everything it opened. */
  close(): Promise<void>
}

export type ServingOptions = InstanceOptions & Partial<DrainOptions> & Pick<AppOptions, 'sink' | 'registry'>

/**
 * Serves the summit from this process.
 * @throws CannotOpen, or the error of `listen`
 */
export async function serve(
  config: Config,
  { lingerMs = 0, timeoutMs = defaultTimeoutMs, sink, registry = new Registry(), ...options }: ServingOptions = {},
): Promise<RunningServer> {
  const instance = await openInstance(config, options)
  try {
    const listening = await listen(instance.ctx, { lingerMs, timeoutMs, registry, ...(sink && { sink }) })
    instance.startOrphanRemoval(listening.app.log)
    await instance.startRecording(listening.app.log)
    instance.startBackups(listening.app.log, registry)
    instance.startRetention(listening.app.log)
    const close = async () => {
      await listening.close()
      await instance.close()
    }
    return { ...listening, ctx: instance.ctx, close }
  } catch (error) {
    await instance.close()
    throw error
  }
}
