import { type BackupTarget, openBackupTargetReader } from '../blobs/backup-target.ts'
import { BackupReader } from './backup-reader.ts'
import { Encryption } from './encryption.ts'

/**
 * Opens the store of backups read-only. Creates nothing there.
 * @param key see `openBackupStore`
 * @throws OperatorError when a remote store rejects access
 */
export const openBackupReader = async (target: BackupTarget, key: Buffer | undefined): Promise<BackupReader> =>
  new BackupReader(await openBackupTargetReader(target), key && new Encryption(key))
