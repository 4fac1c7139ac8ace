import { type BackupTarget, openBackupTarget } from '../../storage/blobs/backup-target.ts'
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
