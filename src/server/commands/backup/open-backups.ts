import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { OperatorError } from '../../core/errors.ts'
import {
  type BackupTarget,
  describeBackupTarget,
  openBackupTarget,
  openBackupTargetReader,
  type ReaderOptions,
} from '../../storage/blobs/backup-target.ts'
import { makeDataDir } from '../../storage/data-dir/data-dir.ts'
import { tryLockFolder } from '../../storage/db/locks.ts'
import { createScratchFolder, removeAbandoned } from '../../storage/db/scratch-folder.ts'
import { BackupReader, DamagedBackup } from './backup-reader.ts'
import { BackupStore } from './backup-store.ts'
import { Encryption } from './encryption.ts'

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

/**
 * Opens the store of backups.
 * @param stagingDir a folder on the local disk, for objects on their way to a remote store
 * @param key encrypts the backups, 32 bytes; undefined if they are not encrypted
 * @throws OperatorError when a remote store rejects access
 */
export async function openBackupStore(
  target: BackupTarget,
  stagingDir: string,
  key: Buffer | undefined,
): Promise<BackupStore> {
  const blobs = await openBackupTarget(target, stagingDir)
  const stagedIn = target.kind === 'folder' ? target.dir : stagingDir
  return new BackupStore(blobs, stagedIn, key && new Encryption(key))
}

/**
 * Opens the store of backups read-only. Creates nothing there.
 * @param key see `openBackupStore`
 * @param options see `openBackupTargetReader`
 * @throws OperatorError when a remote store rejects access
 */
export const openBackupReader = async (
  target: BackupTarget,
  key: Buffer | undefined,
  options?: ReaderOptions,
): Promise<BackupReader> => new BackupReader(await openBackupTargetReader(target, options), key && new Encryption(key))
