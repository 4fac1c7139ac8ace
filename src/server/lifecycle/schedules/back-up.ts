import type { BackupStore } from '../../commands/backup/backup-store.ts'
import { assertSameSummit, readCatalog } from '../../commands/backup/catalog.ts'
import { type CreatedBackup, createBackup } from '../../commands/backup/create-backup.ts'
import { rememberLocation } from '../../commands/backup/known-locations.ts'
import { updateLedger } from '../../commands/backup/ledger-objects.ts'
import { type Manifest, summarize } from '../../commands/backup/manifest.ts'
import type { OpenBackups } from '../../commands/backup/open-backups.ts'
import type { Config } from '../../config/config.ts'
import { messageOf } from '../../core/errors.ts'
import type { Progress } from '../../core/progress.ts'
import { recordNewestBackup } from '../../domains/overview/newest-backup.ts'
import { mergeEntries, selectEntries } from '../../log/ledger/entries.ts'
import { readLedgerFile } from '../../log/ledger/ledger-file.ts'
import { summitFingerprint } from '../../log/ledger/summit-fingerprint.ts'
import { describeBackupTarget } from '../../storage/blobs/backup-target.ts'
import { openBlobReader } from '../../storage/blobs/open.ts'
import { blobsDir } from '../../storage/data-dir/data-dir.ts'
import { describeDatabase } from '../../storage/db/initialized.ts'
import { openInspection } from '../../storage/db/inspect.ts'
import { hasHashes, hasSecrets, readKnownMigrations } from '../../storage/db/migrate.ts'
import { openUnmigratedDatabase } from '../../storage/db/open.ts'
import type { Db } from '../../storage/db/tables.ts'
import type { DatabaseTarget } from '../../storage/db/target.ts'
import { assertRoomForCopy } from '../start/assert-room.ts'
import { findAuditKey, findSigningKey } from '../start/keys.ts'
import { assertNotMoved } from '../start/moved.ts'
import { startScratchServer } from '../start/scratch-server.ts'
import { assertNoUnfinishedMove } from '../start/unfinished-move.ts'

/**
 * Backs up the configured summit, of any schema version. The caller holds the maintenance lock.
 * @throws CannotOpen also if the summit was moved elsewhere; see `createBackup`
 */
export async function backUpTo(
  config: Config,
  { store, location, scratchDir }: OpenBackups<BackupStore>,
  { isScheduled, progress }: { isScheduled: boolean; progress: Progress },
): Promise<CreatedBackup> {
  await assertRoomForCopy(config)
  const inspection = await openInspection(config.database)
  const readKey = async () => {
    await assertNoUnfinishedMove(inspection.read)
    await assertNotMoved(inspection.read)
    await backUpLedger(config, store, inspection.read)
    return findSigningKey(config, inspection.read)
  }
  const signatureKey = await readKey().finally(() => inspection.close())
  const auditKey = (await findAuditKey(config))?.toHex()
  const blobs = await openBlobReader(config.blobs, blobsDir(config))
  const { database } = config
  const created = await createBackup({
    database,
    blobs,
    signatureKey,
    auditKey,
    isScheduled,
    store,
    scratchDir,
    startScratchServer,
    progress,
  }).finally(() => blobs.close())
  await rememberLocation(config.dataDir, location)
  const { to } = config.backup
  // One elsewhere must not hide that those in BACKUP_TO are late.
  if (!to || describeBackupTarget(to) === location) await rememberBackup(database, created.manifest)
  return created
}

/** Records a backup in the database, where all servers of the summit read it; also in one that is about to be migrated. */
async function rememberBackup(target: DatabaseTarget, manifest: Manifest): Promise<void> {
  if (!hasSecrets(manifest.migrations)) return
  try {
    await using opened = new AsyncDisposableStack()
    const database = opened.adopt(await openUnmigratedDatabase(target), (open) => open.close())
    await database.transaction((tx) => recordNewestBackup(tx, summarize(manifest)))
  } catch (error) {
    // The backup itself is sound.
    console.error(
      `WARNING: Could not record the backup in ${describeDatabase(target)}: ${messageOf(error)}. The backup is complete, ` +
        'but organizers do not see when it was made.',
    )
  }
}

/**
 * Brings the ledger of a location up to date with the change log, and with the ledger in `DATA_DIR`, which has the entries
 * of states before a restore.
 * @throws OperatorError when the location has the backups of another summit, to which these entries would do harm
 */
export async function backUpLedger({ dataDir }: Config, store: BackupStore, db: Db): Promise<void> {
  const migrations = await readKnownMigrations(db)
  if (migrations.length === 0) return updateLedger(store, [])
  const summit = await summitFingerprint(db)
  assertSameSummit(await readCatalog(store, await store.list()), summit)
  const logged = await selectEntries(db, { hasHashes: hasHashes(migrations) })
  const recorded = (await readLedgerFile(dataDir)) ?? []
  await updateLedger(
    store,
    // The file has the older ones: those from before a restore, and then what the log has, too.
    mergeEntries(
      recorded.filter((entry) => entry.summit === summit),
      logged,
    ),
  )
}
