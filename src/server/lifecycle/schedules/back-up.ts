import type { BackupStore } from '../../commands/backup/backup-store.ts'
import { type CreatedBackup, createBackup } from '../../commands/backup/create-backup.ts'
import { rememberLocation } from '../../commands/backup/known-locations.ts'
import type { OpenBackups } from '../../commands/backup/open-backups.ts'
import type { Config } from '../../config/config.ts'
import type { Progress } from '../../core/progress.ts'
import { openBlobReader } from '../../storage/blobs/open.ts'
import { blobsDir } from '../../storage/data-dir/data-dir.ts'
import { openInspection } from '../../storage/db/inspect.ts'
import { assertRoomForCopy } from '../start/assert-room.ts'
import { findAuditKey, findSigningKey } from '../start/keys.ts'
import { assertNotMoved } from '../start/moved.ts'
import { startScratchServer } from '../start/scratch-server.ts'
import { assertNoUnfinishedMove } from '../start/unfinished-move.ts'
import { backUpLedger } from './back-up-ledger.ts'

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
