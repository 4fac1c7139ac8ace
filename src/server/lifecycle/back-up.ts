import type { BackupStore } from '../backup/backup-store.ts'
import { type CreatedBackup, createBackup } from '../backup/create-backup.ts'
import { rememberLocation } from '../backup/known-locations.ts'
import type { OpenBackups } from '../backup/open-backups.ts'
import { openBlobReader } from '../blobs/open.ts'
import type { Config } from '../config/config.ts'
import type { Progress } from '../core/progress.ts'
import { blobsDir } from '../data-dir/data-dir.ts'
import { openInspection } from '../db/inspect.ts'
import { assertRoomForCopy } from './assert-room.ts'
import { findAuditKey } from './audit-key.ts'
import { backUpLedger } from './back-up-ledger.ts'
import { assertNotMoved } from './moved.ts'
import { startScratchServer } from './scratch-server.ts'
import { findSigningKey } from './signing-key.ts'
import { assertNoUnfinishedMove } from './unfinished-move.ts'

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
  return created
}
