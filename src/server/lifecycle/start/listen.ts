import type { FastifyInstance, FastifyListenOptions } from 'fastify'
import { type AppOptions, createApp } from '../../app.ts'
import type { Context } from '../../context.ts'
import { type DrainOptions, defaultTimeoutMs, drainOnClose } from '../stop/drain.ts'

/** A server that accepts requests. */
export interface ListeningServer {
  app: FastifyInstance
  /** URL of the server, without a trailing slash. */
  address: string
  /** Stops accepting requests and finishes those in progress. */
  close(): Promise<void>
}

export interface ListenOptions extends Partial<DrainOptions>, AppOptions {
  port?: number
  /** Lets other processes listen on the same port; the kernel distributes connections (SO_REUSEPORT, socket(7)). */
  reusePort?: boolean
}

/** @throws the error of `listen` */
export async function listen(
  ctx: Context,
  {
    lingerMs = 0,
    timeoutMs = defaultTimeoutMs,
    port = ctx.config.port,
    reusePort = false,
    ...options
  }: ListenOptions = {},
): Promise<ListeningServer> {
  const app = await createApp(ctx, options)
  const close = drainOnClose(app, { lingerMs, timeoutMs })
  try {
    // Fastify passes all options to Node, but its types lack `reusePort`.
    const target: FastifyListenOptions & { reusePort: boolean } = { host: ctx.config.host, port, reusePort }
    await app.ready()
    releaseStartupMemory()
    return { app, address: await app.listen(target), close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Returns the memory that only the start needed: loading the program fills V8's young generation to its limit, 33 MB,
 * and V8 gives it back in a collection of this kind alone. Without `--min-semi-space-size`, it would also shrink the young
 * generation for the requests that follow. Call it before the server listens, as nothing else runs meanwhile. Does
 * nothing without Node's flag `--expose-gc`.
 */
function releaseStartupMemory(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
