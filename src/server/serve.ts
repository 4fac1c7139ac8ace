import { mkdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { createApp } from './app.ts'
import { clearStaging } from './blobs/fs.ts'
import { sweepOrphans } from './blobs/sweep.ts'
import type { Config } from './config.ts'
import { blobsDir, type Context, type ContextOptions, createContext } from './context.ts'
import { lockForServing } from './db/lock.ts'
import { type DrainOptions, drainOnClose } from './drain.ts'
import { blobsOfFiles } from './files/store.ts'
import { isUpload } from './files/uploads.ts'
import { blobsOfEvents } from './program/store.ts'

/** A server that listens. */
export interface Serving {
  ctx: Context
  app: FastifyInstance
  /** Where it listens, as a URL without a slash at the end. */
  address: string
  /** Stops taking requests, answers those under way, and closes what it opened. */
  close(): Promise<void>
}

export interface ServeOptions extends ContextOptions, Partial<DrainOptions> {
  /** Runs once everything is open, before the first request is taken. */
  prepare?: (ctx: Context) => Promise<void>
}

/**
 * Serves the folder `DATA_DIR`, as the only process that does.
 * @throws AlreadyServed, NewerSchema, or what listening fails with
 */
export async function serve(
  config: Config,
  { prepare, lingerMs = 0, patienceMs = 25_000, ...options }: ServeOptions = {},
): Promise<Serving> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const unlock = lockForServing(config.dataDir)
  const closing: (() => unknown)[] = [unlock]
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step()
  }
  try {
    await clearStaging(blobsDir(config))
    const ctx = await createContext(config, options)
    closing.push(() => ctx.close())
    await prepare?.(ctx)
    const app = await createApp(ctx)
    closing.push(drainOnClose(app, { lingerMs, patienceMs }))
    const keys = await Array.fromAsync(ctx.blobs.keys())
    const address = await app.listen({ host: config.host, port: config.port })
    const closed = new AbortController()
    const sweeping = removeOrphans(ctx, app, keys, closed.signal)
    closing.push(() => sweeping)
    closing.push(() => closed.abort())
    return { ctx, app, address, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** An import that had stored a picture when we looked has stored its row by then. */
const importMs = 5_000

/** Takes place while requests are answered already; those keys are from before the first of them. */
async function removeOrphans(
  { blobs, database }: Context,
  app: FastifyInstance,
  keys: string[],
  signal: AbortSignal,
): Promise<void> {
  const referenced = async (some: string[]) =>
    new Set([...(await blobsOfFiles(database.read, some)), ...(await blobsOfEvents(database.read, some))])
  const sweep = async (some: string[]) => {
    const removed = await sweepOrphans(blobs, some, referenced)
    if (removed > 0) app.log.info({ removed }, 'removed files of uploads that were cut off')
  }
  try {
    // Uploads are stored by the process that serves the folder, and that is only us; pictures by imports, too.
    await sweep(keys.filter(isUpload))
    await sleep(importMs, undefined, { signal })
    await sweep(keys.filter((key) => !isUpload(key)))
  } catch (err) {
    if (!signal.aborted) app.log.error({ err }, 'could not remove the files of uploads that were cut off')
  }
}
