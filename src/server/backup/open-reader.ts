import { type BackupTarget, openBackupTargetReader } from '../blobs/backup-target.ts'
import type { S3Limits } from '../blobs/s3-limits.ts'
import { BackupReader } from './backup-reader.ts'
import { Encryption } from './encryption.ts'

/**
 * Opens the store of backups read-only. Creates nothing there.
 * @param key see `openBackupStore`
 * @param limits of S3; those of backups by default
 * @throws OperatorError when a remote store rejects access
 */
export const openBackupReader = async (
  target: BackupTarget,
  key: Buffer | undefined,
  limits?: S3Limits,
): Promise<BackupReader> => new BackupReader(await openBackupTargetReader(target, limits), key && new Encryption(key))
