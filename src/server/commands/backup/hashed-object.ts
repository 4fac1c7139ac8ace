import { createHash } from 'node:crypto'
import type { BackupReader } from './backup-reader.ts'
import { DamagedBackup, KeyMismatch } from './damaged-backup.ts'
import { isEncrypted } from './encryption.ts'

/** A text that begins with its own SHA-256, so that damage shows. */
export const withHash = (text: string): string => `${createHash('sha256').update(text).digest('hex')}\n${text}\n`

/** Reads the text of an object that begins with its own hash. @throws DamagedBackup */
export async function readHashed(store: BackupReader, name: string): Promise<string> {
  const bytes = Buffer.concat(await Array.fromAsync(store.read(name)))
  if (!store.isEncrypted && isEncrypted(bytes)) throw new KeyMismatch(`${name} is encrypted: set BACKUP_KEY`)
  const text = bytes.subarray(bytes.indexOf('\n') + 1, -1).toString()
  if (!bytes.equals(Buffer.from(withHash(text)))) throw new DamagedBackup(`${name} is truncated or was altered`)
  return text
}
