import type { FastifyInstance, FastifyListenOptions } from 'fastify'
import { type AppOptions, createApp } from '../app.ts'
import type { Context } from '../context.ts'
import { type DrainOptions, defaultTimeoutMs, drainOnClose } from './drain.ts'

/** A server that listens. */
export interface Listening {
  app: FastifyInstance
  /** Where it listens, as a URL without a slash at the end. */
  address: string
  /** Stops taking requests and answers those under way. */
  close(): Promise<void>
}

export interface ListenOptions extends Partial<DrainOptions>, AppOptions {
  port?: number
  /** Lets other processes listen there as well; the kernel deals out the connections (SO_REUSEPORT, socket(7)). */
  reusePort?: boolean
}

/** @throws what listening fails with */
export async function listen(
  ctx: Context,
  {
    lingerMs = 0,
    timeoutMs = defaultTimeoutMs,
    port = ctx.config.port,
    reusePort = false,
    ...options
  }: ListenOptions = {},
): Promise<Listening> {
  const app = await createApp(ctx, options)
  drainOnClose(app, { lingerMs, timeoutMs })
  const close = () => app.close()
  try {
    // Fastify hands all of it to Node, but its types know only a part.
    const where: FastifyListenOptions & { reusePort: boolean } = { host: ctx.config.host, port, reusePort }
    return { app, address: await app.listen(where), close }
  } catch (error) {
    await close()
    throw error
  }
}
