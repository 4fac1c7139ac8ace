import { type ChildProcess, spawn } from 'node:child_process'
import { getPriority, setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import type { NewestBackup } from '../../commands/backup/newest-backup.ts'
import { removeBackupScratch } from '../../commands/backup/open-backups.ts'
import type { Config } from '../../config/config.ts'
import { dayMs, hourMs, minuteMs } from '../../core/time-units.ts'
import { isBackupLate } from '../../domains/overview/newest-backup.ts'
import { describeBackupTarget } from '../../storage/blobs/backup-target.ts'

const command = fileURLToPath(new URL('../../../cli/main.ts', import.meta.url))

/** Backups have a lower priority than requests. */
const niceness = 10

/** The delay of the first attempt, because a start has more urgent work. */
const firstMs = 10_000

/** The pause after a failed attempt, unless backups are made more often. */
const retryMs = 10 * minuteMs

/** How often a late backup is reported. */
const lateCheckMs = hourMs

/** Whether a backup is due is looked up at least once a day; the longest timer of Node is 24 days. */
const longestMs = dayMs

/**
 * Makes a backup whenever one is due, by the command `summit backup` in a process of its own, which inherits the
 * settings of this one. Several servers of one summit may do this: only one of them makes each backup.
 * @returns a function that stops the schedule, and aborts a backup in progress, of which nothing is left in `DATA_DIR`
 */
export function scheduleBackups(config: Config, log: FastifyBaseLogger, registry: Registry): () => Promise<void> {
  const { everyMs } = config.backup
  if (everyMs === undefined) return async () => {}
  const report = reportBackups(registry)
  const startedAt = Date.now()
  let newestAt: number | undefined
  let running: { child: ChildProcess; exit: Promise<unknown> } | undefined
  let isStopped = false
  let timer: NodeJS.Timeout

  const attempt = async (): Promise<number> => {
    report.attempt()
    const child = spawn(process.execPath, [command, 'backup', '--if-due'], { stdio: ['ignore', 'pipe', 'pipe'] })
    const exit = new Promise<number | null>((resolve) => {
      child.once('error', () => resolve(null))
      child.once('close', resolve)
    })
    running = { child, exit }
    lowerPriority(child)
    const [code, out, err] = await Promise.all([exit, text(child.stdout), text(child.stderr)])
    running = undefined
    if (isStopped) return 0
    if (code !== 0) {
      log.error({ reason: err.trim().split('\n').at(-1) }, 'backup failed')
      return Math.min(everyMs, retryMs)
    }
    const { newest, isNew, unreadable, future, isFirstOnDataDisk } = JSON.parse(out) as NewestBackup
    newestAt = newest.createdAt
    report.newest(newest)
    if (isNew) log.info(newest, 'backup made and verified')
    if (isNew && newest.missing > 0) log.error(newest, 'stored files are missing or damaged, and not in the backup')
    if (isFirstOnDataDisk)
      log.warn(
        { location: config.backup.to && describeBackupTarget(config.backup.to) },
        'the first backup in this location is on the file system of DATA_DIR: is its disk mounted?',
      )
    if (future.length > 0)
      log.warn(
        { future },
        'these backups are dated in the future, so they do not count: set the clock, or if it is right, remove their folders',
      )
    if (unreadable > 0)
      log.error(
        { unreadable },
        'some backups cannot be read, so no expired backup is removed; to list them: summit doctor',
      )
    return Math.max(0, newestAt + everyMs - Date.now())
  }

  const run = async () => {
    const pauseMs = await attempt().catch((err: unknown) => {
      log.error({ err }, 'backup failed')
      return Math.min(everyMs, retryMs)
    })
    if (!isStopped) timer = setTimeout(run, Math.min(pauseMs, longestMs)).unref()
  }
  timer = setTimeout(run, Math.min(firstMs, everyMs)).unref()

  const warnIfLate = () => {
    if (isBackupLate(newestAt ?? startedAt, everyMs, Date.now()))
      log.warn(
        { newest: newestAt && new Date(newestAt) },
        'the newest backup is older than BACKUP_EVERY plus two hours',
      )
  }
  // An attempt in progress may be what is late.
  const lateTimer = setInterval(warnIfLate, lateCheckMs).unref()

  return async () => {
    isStopped = true
    clearTimeout(timer)
    clearInterval(lateTimer)
    if (!running) return
    running.child.kill()
    await running.exit
    await removeBackupScratch(config).catch((err: unknown) =>
      log.warn({ err }, 'copies of an aborted backup not removed; the next backup removes them'),
    )
  }
}

/** The process may have a lower priority already, or have ended. */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, Math.max(niceness, getPriority()))
  } catch {
    // It then runs with the priority of the server.
  }
}

function reportBackups(registry: Registry) {
  // Only the main process has these.
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] })
  const attemptedAt = gauge('summit_backup_attempt_timestamp_seconds', 'When the server last tried to make a backup.')
  const verifiedAt = gauge(
    'summit_backup_verified_timestamp_seconds',
    'When the newest verified backup was made, by this or another server.',
  )
  const bytes = gauge('summit_backup_bytes', 'Size of the newest backup, with its files.')
  const seconds = gauge('summit_backup_duration_seconds', 'How long the newest backup took to make and verify.')
  return {
    attempt: () => attemptedAt.set(Date.now() / 1000),
    newest: (newest: NewestBackup['newest']) => {
      verifiedAt.set(newest.createdAt / 1000)
      bytes.set(newest.bytes)
      seconds.set(newest.durationMs / 1000)
    },
  }
}
