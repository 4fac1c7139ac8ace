import { type BackupTarget, openBackupTargetReader, type ReaderOptions } from '../../storage/blobs/backup-target.ts'
import { BackupReader } from './backup-reader.ts'
import { Encryption } from './encryption.ts'

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
