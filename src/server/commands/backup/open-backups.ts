import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { OperatorError } from '../../core/operator-error.ts'
import { type BackupTarget, describeBackupTarget } from '../../storage/blobs/backup-target.ts'
import { makeDataDir } from '../../storage/data-dir/data-dir.ts'
import { tryLockFolder } from '../../storage/db/maintenance-lock.ts'
import { createScratchFolder, removeAbandoned } from '../../storage/db/scratch-folder.ts'
import type { BackupReader } from './backup-reader.ts'
import type { BackupStore } from './backup-store.ts'
import { DamagedBackup } from './damaged-backup.ts'
import { openBackupReader, openBackupStore } from './open-store.ts'

/** A store of backups that is open. */
export interface OpenBackups<Store extends BackupReader> {
  store: Store
  /** The location, for messages; without credentials. */
  location: string
  /** A folder on the local disk for this process alone. */
  scratchDir: string
}

/**
 * Opens the store of backups and runs `work` on it.
 * @throws OperatorError when a backup is damaged
 */
export async function withBackupsAt<T>(
  config: Config,
  target: BackupTarget,
  work: (backups: OpenBackups<BackupStore>) => Promise<T>,
): Promise<T> {
  const open = (stagingDir: string) => openBackupStore(target, stagingDir, config.backup.key)
  return withStore(config, target, open, async (backups) => {
    const release = target.kind === 'folder' ? tryLockFolder(target.dir) : () => {}
    // Two copies of a summit have different locks of their own.
    if (!release)
      throw new OperatorError(
        `Another process is storing backups in ${backups.location}. Try again once it has finished, or choose another location.`,
      )
    try {
      return await work(backups)
    } finally {
      release()
    }
  })
}

/**
 * Like {@link withBackupsAt}, for work that only reads: the location may be read-only, and is not created.
 * @throws OperatorError when a backup is damaged
 */
export const withBackupReaderAt = <T>(
  config: Config,
  target: BackupTarget,
  work: (backups: OpenBackups<BackupReader>) => Promise<T>,
): Promise<T> => withStore(config, target, () => openBackupReader(target, config.backup.key), work)

const scratchOf = ({ dataDir }: Config): string => join(dataDir, 'backup')

/** Removes what a backup that was killed has left in `DATA_DIR`, which the next one would do. */
export const removeBackupScratch = (config: Config): Promise<void> => removeAbandoned(scratchOf(config))

async function withStore<Store extends BackupReader, T>(
  config: Config,
  target: BackupTarget,
  open: (stagingDir: string) => Promise<Store>,
  work: (backups: OpenBackups<Store>) => Promise<T>,
): Promise<T> {
  const location = describeBackupTarget(target)
  await makeDataDir(config.dataDir)
  await using scratch = await createScratchFolder(scratchOf(config))
  const store = await open(scratch.path)
  try {
    return await work({ store, location, scratchDir: join(scratch.path, 'work') })
  } catch (error) {
    if (error instanceof DamagedBackup) throw new OperatorError(`${location}: ${error.message}.`, { cause: error })
    throw error
  } finally {
    await store.close()
  }
}
