import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Registry } from 'prom-client'
import type { Config } from '../config/config.ts'
import type { Context } from '../context.ts'
import { commandName } from '../core/command-name.ts'
import { findMissingFile } from '../domains/files/files.ts'
import { isUploadKey } from '../domains/files/uploads.ts'
import { removeOrphans } from '../domains/orphans/orphans.ts'
import { findMissingPicture } from '../domains/program/pictures.ts'
import { describeBlobTarget } from '../storage/blobs/blob-target.ts'
import { clearStaging } from '../storage/blobs/staging.ts'
import { blobsDir, inDataDir, makeDataDir } from '../storage/data-dir/data-dir.ts'
import { lockForServing } from '../storage/db/locks.ts'
import { OlderSchema } from '../storage/db/migrate.ts'
import { watchBackupLocation } from './schedules/backup-location.ts'
import { scheduleBackups } from './schedules/backup-schedule.ts'
import { scheduleDeletion } from './schedules/delete-ended.ts'
import { logHeads } from './schedules/log-heads.ts'
import { recordLedger } from './schedules/record-ledger.ts'
import { scheduleRetention } from './schedules/retention.ts'
import { scheduleErasures } from './schedules/schedule-erasures.ts'
import { type ContextOptions, createContext } from './start/create-context.ts'
import { freePort } from './start/free-port.ts'
import { assertDatabasePresent } from './start/lost-database.ts'
import { assertNotMoved } from './start/moved.ts'
import { assertNoUnfinishedMove } from './start/unfinished-move.ts'

/** An opened summit, served by this process itself or by its workers. */
export interface Instance {
  ctx: Context
  /** The configured port or a free one; it was free when it was checked. */
  port: number
  /** Starts to remove orphaned files in the background, while requests are served. */
  startOrphanRemoval(log: FastifyBaseLogger): void
  /** Starts to record the ledger, and the head of the change log, which is recorded once this returns. */
  startRecording(log: FastifyBaseLogger): Promise<void>
  /** Starts to make backups if `BACKUP_TO` is set, and tries whether they can be stored. @param registry gets their metrics */
  startBackups(log: FastifyBaseLogger, registry: Registry): void
  /**
   * Starts to finish erasures, to delete what ended long ago, and to erase all participants once
   * ERASE_PERSONAL_DATA_AFTER has passed.
   */
  startRetention(log: FastifyBaseLogger): void
  close(): Promise<void>
}

export interface InstanceOptions extends ContextOptions {
  /** Runs once everything is open, before the first request is accepted. */
  prepare?: ((ctx: Context) => Promise<void>) | undefined
}

/**
 * Opens the summit; a database in a folder is locked for this process, one on a server may have other instances. The port
 * is checked first, so that a start that fails because it is in use does not create a summit. It is not listened on
 * until preparation is complete, so that requests only go to processes that are ready.
 * @throws CannotOpen, AccessDenied, or the error of `listen`
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
    const ctx = await openContext(config, options)
    closing.push(() => ctx.close())
    await assertNoUnfinishedMove(ctx.database.read)
    await assertNotMoved(ctx.database.read)
    await prepare?.(ctx)
    const keys = await ctx.blobs.takePending()
    const startOrphanRemoval = (log: FastifyBaseLogger) => {
      const closed = new AbortController()
      const removal = removeOrphansOf(ctx, log, keys, closed.signal)
      closing.push(() => removal)
      closing.push(() => closed.abort())
    }
    const startBackups = (log: FastifyBaseLogger, registry: Registry) => {
      closing.push(watchBackupLocation(config, log, registry), scheduleBackups(config, log, registry))
    }
    const startRecording = async (log: FastifyBaseLogger) => {
      closing.push(await logHeads(ctx, log), recordLedger(ctx, log))
    }
    const startRetention = (log: FastifyBaseLogger) => {
      closing.push(scheduleErasures(ctx, log), scheduleRetention(ctx, log), scheduleDeletion(ctx, log))
    }
    return { ctx, port, startOrphanRemoval, startRecording, startBackups, startRetention, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** A summit of an older version is migrated first. */
async function openContext(config: Config, options: ContextOptions): Promise<Context> {
  try {
    return await createContext(config, options)
  } catch (error) {
    if (!(error instanceof OlderSchema)) throw error
    // Loaded on demand, with everything that makes backups.
    const { upgrade } = await import('./upgrade.ts')
    await upgrade(config)
    return createContext(config, options)
  }
}

/** An import that had stored a picture before the start has committed its row by then. */
const importMs = 5_000

/** Another process that had stored files before the start has committed their rows by then; usually within 5 s. */
const uploadMs = 60_000

/** @param keys pending keys from before the first request */
async function removeOrphansOf(
  ctx: Context,
  log: FastifyBaseLogger,
  keys: string[],
  signal: AbortSignal,
): Promise<void> {
  const remove = async (candidates: string[]) => {
    const removed = await removeOrphans(ctx, candidates)
    if (removed > 0) log.info({ removed }, 'removed orphaned files of interrupted uploads')
  }
  try {
    // The store may be that of another summit.
    if (await warnOfMissingFiles(ctx)) return
    // As the only server, no other process stores uploads; pictures are also stored by imports.
    const isOnlyServer = ctx.config.database.kind === 'folder'
    if (isOnlyServer) await remove(keys.filter(isUploadKey))
    await sleep(isOnlyServer ? importMs : uploadMs, undefined, { signal })
    await remove(isOnlyServer ? keys.filter((key) => !isUploadKey(key)) : keys)
  } catch (err) {
    if (!signal.aborted) log.error({ err }, 'could not check stored files or remove orphaned ones')
  }
}

/** Warns the operator if the newest file or picture is missing from the store. @returns whether it is missing */
async function warnOfMissingFiles({ config, database, blobs }: Context): Promise<boolean> {
  const { read } = database
  const key = (await findMissingFile(read, blobs)) ?? (await findMissingPicture(read, blobs))
  if (key === undefined) return false
  console.error(
    `WARNING: ${key}, the newest ${isUploadKey(key) ? 'file' : 'picture'} of this summit, is missing from ` +
      `${describeBlobTarget(config.blobs, blobsDir(config))}. Run ${commandName} check to list missing files. If there are more, ` +
      'stop Summit and set the right DATA_DIR or BLOBS_URL, or restore the files. Until then, missing files fail with 5000, ' +
      'missing pictures are replaced by placeholders, and orphaned files are not removed.',
  )
  return true
}
