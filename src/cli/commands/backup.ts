import type { BackupStore } from '../../server/commands/backup/backup-store.ts'
import { readCatalog, splitByTime } from '../../server/commands/backup/catalog.ts'
import type { CreatedBackup } from '../../server/commands/backup/create-backup.ts'
import { assertMounted, findUnmounted, rememberLocation } from '../../server/commands/backup/known-locations.ts'
import { summarize } from '../../server/commands/backup/manifest.ts'
import { newestBackup } from '../../server/commands/backup/newest-backup.ts'
import type { OpenBackups } from '../../server/commands/backup/open-backups.ts'
import { shareDisk } from '../../server/commands/backup/shared-disk.ts'
import type { Config } from '../../server/config/config.ts'
import { commandName } from '../../server/core/command-name.ts'
import { OperatorError } from '../../server/core/errors.ts'
import { formatCount } from '../../server/core/format-count.ts'
import { backUpLedger, backUpTo } from '../../server/lifecycle/schedules/back-up.ts'
import { openInspection } from '../../server/storage/db/inspect.ts'
import { tryLockForMaintenance } from '../../server/storage/db/locks.ts'
import { megabytes, targetOf, withBackups } from '../backups.ts'
import { progress } from '../progress.ts'
import { withExistingSummit, withMaintenanceLock } from '../with-context.ts'

/** `summit backup`: backs up the summit, verifies that the backup can be restored, and removes expired ones. */
export async function backUp(config: Config, to: string | undefined): Promise<void> {
  await withExistingSummit(config, async () => {
    const release = await tryLockForMaintenance(config.database)
    if (!release)
      throw new OperatorError(
        'Another backup of this summit, or a command that removes its files, is running. Try again when it has finished.',
      )
    try {
      const finding = await findUnmounted(config.dataDir, targetOf(config, to))
      if (finding !== undefined) console.error(`WARNING: ${finding}`)
      await withBackups(config, to, async (backups) =>
        print(await backUpTo(config, backups, { isScheduled: false, progress }), backups),
      )
    } finally {
      await release()
    }
  })
}

/** The timer of the server may fire this much too early. */
const slackMs = 1_000

/**
 * `summit backup --if-due`, for the server: waits for a backup that another process is making, makes one if the newest
 * is older than `BACKUP_EVERY`, and prints the newest as JSON.
 */
export async function backUpIfDue(config: Config): Promise<void> {
  const { to, everyMs = 0 } = config.backup
  const dueAfterMs = everyMs - slackMs
  await withExistingSummit(config, () =>
    withMaintenanceLock(config, async () => {
      if (to) await assertMounted(config.dataDir, to)
      await withBackups(config, undefined, async (backups) => {
        const { store } = backups
        const entries = await readCatalog(store, await store.list())
        const isFirstOnDataDisk =
          to?.kind === 'folder' && entries.length === 0 && (await shareDisk(to.dir, config.dataDir))
        const { newest: newestEntry, future } = splitByTime(entries, Date.now())
        const newest = newestEntry?.summary
        if (newest) await rememberLocation(config.dataDir, backups.location)
        const ageMs = newest ? Date.now() - newest.createdAt : Number.POSITIVE_INFINITY
        const isDue = ageMs > dueAfterMs
        const summary =
          isDue || !newest
            ? summarize((await backUpTo(config, backups, { isScheduled: true, progress })).manifest)
            : newest
        const unreadable = entries.filter((entry) => !entry.summary).length
        const rest = { isNew: isDue, unreadable, future: future.map(({ id }) => id), isFirstOnDataDisk }
        console.log(JSON.stringify(newestBackup(summary, rest)))
      })
    }),
  )
}

/**
 * `summit backup --ledger`, for the server: brings the ledger in `BACKUP_TO` up to date, once no backup is being made.
 */
export const backUpLedgerOnly = (config: Config): Promise<void> =>
  withExistingSummit(config, () =>
    withMaintenanceLock(config, async () => {
      if (config.backup.to) await assertMounted(config.dataDir, config.backup.to)
      await withBackups(config, undefined, async ({ store }) => {
        const { read, close } = await openInspection(config.database)
        await backUpLedger(config, store, read).finally(close)
      })
    }),
  )

function print(
  { manifest, sentBytes, expired, unreadable }: CreatedBackup,
  { store, location }: OpenBackups<BackupStore>,
): void {
  const { id, durationMs, files, missing, pages } = manifest
  const { rows } = summarize(manifest)
  console.log(
    `Backup ${id} in ${location}: ${formatCount(rows, 'row')} and ${formatCount(files.length, 'file')}, in ${seconds(durationMs)}.`,
  )
  console.log(`  sent      ${megabytes(sentBytes)}; data already stored there was not sent again`)
  console.log(
    `  verified  read back, restored to a scratch folder and served; all rows and ${pages} served pages are identical`,
  )
  console.log(
    `  security  ${store.isEncrypted ? 'encrypted with BACKUP_KEY; contains the signing key' : 'not encrypted; does not contain the signing key'}`,
  )
  if (expired.length > 0) console.log(`  expired   ${formatCount(expired.length, 'backup')} removed`)
  if (unreadable.length > 0)
    console.log(
      `\nWARNING: No expired backups were removed, because the manifests of other backups cannot be read: ${unreadable.join(', ')}. If ` +
        'they are damaged, and not encrypted with another BACKUP_KEY, remove their folders.',
    )
  if (missing.length === 0) return
  console.log(
    `\nWARNING: Not in this backup: ${formatCount(missing.length, 'file')}, missing or damaged in the summit:`,
  )
  for (const { owner, problem } of missing.slice(0, maxListed)) console.log(`  ${owner}: ${problem}`)
  if (missing.length > maxListed) console.log(`  … and ${missing.length - maxListed} more`)
  console.log(`To restore from older backups: ${commandName} restore --files`)
}

const maxListed = 20

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
