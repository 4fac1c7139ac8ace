import {
  type BackupTarget,
  openBackupTarget,
  openBackupTargetReader,
  type ReaderOptions,
} from '../../storage/blobs/backup-target.ts'
import { BackupReader } from './backup-reader.ts'
import { BackupStore } from './backup-store.ts'
import { Encryption } from './encryption.ts'

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
