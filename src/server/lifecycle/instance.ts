import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { describeBlobTarget } from '../blobs/blobs-url.ts'
import { clearStaging } from '../blobs/staging.ts'
import type { Config } from '../config.ts'
import { blobsDir, type Context, type ContextOptions, createContext } from '../context.ts'
import { inDataDir, makeDataDir } from '../data-dir/data-dir.ts'
import { lockForServing } from '../db/serving-lock.ts'
import { findMissingFile } from '../files/files.ts'
import { isUpload } from '../files/uploads.ts'
import { removeOrphans } from '../orphans/orphans.ts'
import { findMissingPicture } from '../program/pictures.ts'
import { freePort } from './free-port.ts'
import { assertDatabasePresent } from './lost-database.ts'
import { assertNoUnfinishedMove } from './unfinished-move.ts'

/** A summit that this process is in charge of, whether it answers the requests itself or has workers for it. */
export interface Instance {
  ctx: Context
  /** That of the configuration, or a free one; nobody listened there when we looked. */
  port: number
  /** Begins to remove files that no row names. Takes place while requests are answered. */
  sweep(log: FastifyBaseLogger): void
  close(): Promise<void>
}

export interface InstanceOptions extends ContextOptions {
  /** Runs once everything is open, before the first request is taken. */
  prepare?: ((ctx: Context) => Promise<void>) | undefined
}

/**
 * Opens the summit: as the only process that does if the database is in a folder, else beside others. Only where it can
 * be served does one begin: a start that fails because the port is taken leaves no summit behind. Nobody listens there
 * until all is prepared, so that requests go to whoever is ready.
 * @throws CannotOpen, NotOurs, or what listening fails with
 */
export const openInstance = (config: Config, options: InstanceOptions = {}): Promise<Instance> =>
  inDataDir(config.dataDir, () => open(config, options))

async function open(config: Config, { prepare, ...options }: InstanceOptions): Promise<Instance> {
  await assertDatabasePresent(config)
  await makeDataDir(config.dataDir)
  const unlock = lockForServing(config.database)
  const closing: (() => unknown)[] = [unlock]
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step()
  }
  try {
    const port = await freePort(config)
    await clearStaging(blobsDir(config), { isShared: config.database.kind === 'server' })
    const ctx = await createContext(config, options)
    closing.push(() => ctx.close())
    await assertNoUnfinishedMove(ctx.database)
    await prepare?.(ctx)
    const keys = await ctx.blobs.takePending()
    const sweep = (log: FastifyBaseLogger) => {
      const closed = new AbortController()
      const sweeping = removePending(ctx, log, keys, closed.signal)
      closing.push(() => sweeping)
      closing.push(() => closed.abort())
    }
    return { ctx, port, sweep, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** An import that had stored a picture when we looked has stored its row by then. */
const importMs = 5_000

/** Nor is another process that stored files when we looked still on its way to their rows; most are there in 5 s. */
const uploadMs = 60_000

/** @param keys from before the first request */
async function removePending(ctx: Context, log: FastifyBaseLogger, keys: string[], signal: AbortSignal): Promise<void> {
  const sweep = async (some: string[]) => {
    const removed = await removeOrphans(ctx, some)
    if (removed > 0) log.info({ removed }, 'removed files of uploads that were cut off')
  }
  try {
    // The files there may be those of another summit.
    if (await warnOfMissingBytes(ctx)) return
    // Where nobody else serves, nobody else stores uploads; pictures are stored by imports, too.
    const isAlone = ctx.config.database.kind === 'folder'
    if (isAlone) await sweep(keys.filter(isUpload))
    await sleep(isAlone ? importMs : uploadMs, undefined, { signal })
    await sweep(isAlone ? keys.filter((key) => !isUpload(key)) : keys)
  } catch (err) {
    if (!signal.aborted)
      log.error({ err }, 'could not look through the files that are kept, or remove what no row names')
  }
}

/** @returns whether the store lacks what the database names, of which the operator has been told then */
async function warnOfMissingBytes({ config, database, blobs }: Context): Promise<boolean> {
  const { read } = database
  const key = (await findMissingFile(read, blobs)) ?? (await findMissingPicture(read, blobs))
  if (key === undefined) return false
  console.error(
    `WARNING: ${key}, the newest ${isUpload(key) ? 'file' : 'picture'} of this summit, is not in ` +
      `${describeBlobTarget(config.blobs, blobsDir(config))}. If others are missing, too (npm run summit -- check lists ` +
      'them), stop, and set the DATA_DIR or BLOBS_URL that has them, or restore them. Until then files are answered with 5000 and pictures with drawn ones, and ' +
      'nothing is removed there.',
  )
  return true
}
