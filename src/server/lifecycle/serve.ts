import type { AppOptions } from '../app.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { type DrainOptions, defaultTimeoutMs } from './drain.ts'
import { type InstanceOptions, openInstance } from './instance.ts'
import { type Listening, listen } from './listen.ts'

/** A summit that is served by this process. */
export interface Serving extends Listening {
  ctx: Context
  /** Stops taking requests, answers those under way, and closes what it opened. */
  close(): Promise<void>
}

export type ServeOptions = InstanceOptions & Partial<DrainOptions> & Pick<AppOptions, 'sink'>

/**
 * Serves the summit from this process.
 * @throws CannotOpen, or what listening fails with
 */
export async function serve(
  config: Config,
  { lingerMs = 0, timeoutMs = defaultTimeoutMs, sink, ...options }: ServeOptions = {},
): Promise<Serving> {
  const charge = await openInstance(config, options)
  try {
    const listening = await listen(charge.ctx, { lingerMs, timeoutMs, ...(sink && { sink }) })
    charge.sweep(listening.app.log)
    const close = async () => {
      await listening.close()
      await charge.close()
    }
    return { ...listening, ctx: charge.ctx, close }
  } catch (error) {
    await charge.close()
    throw error
  }
}
