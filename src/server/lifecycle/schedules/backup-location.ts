import type { FastifyBaseLogger } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import { findUnmounted } from '../../commands/backup/known-locations.ts'
import type { Config } from '../../config/config.ts'
import { hourMs } from '../../core/time-units.ts'
import { type BackupTarget, describeBackupTarget, tryWriting } from '../../storage/blobs/backup-target.ts'
import { explain } from '../start/explain.ts'

/** @returns why backups cannot be stored in a location; undefined if they can */
export async function findStorageProblem(dataDir: string, target: BackupTarget): Promise<string | undefined> {
  try {
    const unmounted = await findUnmounted(dataDir, target)
    if (unmounted === undefined) await tryWriting(target)
    return unmounted
  } catch (error) {
    return `Backups cannot be stored in ${describeBackupTarget(target)}: ${explain(error)}`
  }
}

/** How often it is tried. */
const everyMs = hourMs

/**
 * Tries whether backups can be stored in `BACKUP_TO`, now and every hour, and reports it in the log and as a metric: otherwise
 * the first sign might be that there is no backup when one is needed.
 * @returns a function that stops this
 */
export function watchBackupLocation({ dataDir, backup }: Config, log: FastifyBaseLogger, registry: Registry) {
  const { to } = backup
  if (!to) return async () => {}
  // Only the main process has it. A new gauge is 0, which would raise an alert at every start.
  let isWritable: Gauge | undefined
  const look = async () => {
    const problem = await findStorageProblem(dataDir, to)
    isWritable ??= new Gauge({
      name: 'summit_backup_location_writable',
      help: 'Whether the server could write to BACKUP_TO when it last tried: 1 or 0.',
      registers: [registry],
    })
    isWritable.set(problem === undefined ? 1 : 0)
    if (problem !== undefined) log.error({ reason: problem }, 'backups cannot be stored')
  }
  let running = look()
  const timer = setInterval(() => {
    running = running.then(look)
  }, everyMs).unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
