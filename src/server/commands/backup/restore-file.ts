import { createHash } from 'node:crypto'
import { type BlobReader, type BlobStore, openStoredBlob } from '../../storage/blobs/blob-store.ts'
import { DamagedBlob } from '../../storage/blobs/damaged-blob.ts'
import type { BackupReader } from './backup-reader.ts'
import { DamagedBackup } from './damaged-backup.ts'
import type { BackedUpFile } from './stored-files.ts'

/**
 * Restores a stored file, unless the store has it intact.
 * @returns whether it was written
 * @throws DamagedBackup if the object in the backup is damaged, before anything is changed; or if the file still differs
 *   after it was restored
 */
export async function restoreFile(store: BackupReader, file: BackedUpFile, blobs: BlobStore): Promise<boolean> {
  if (await isIntact(blobs, file)) return false
  const { key, sha256, size } = file
  const staged = await blobs.stage(store.read(store.fileName(sha256), { sha256, size }), Number.POSITIVE_INFINITY)
  try {
    await blobs.remove(key)
    await staged.store(key)
    await blobs.confirm(key)
  } finally {
    await staged.discard()
  }
  if (!(await isIntact(blobs, file)))
    throw new DamagedBackup(`${key} still differs from the backup after it was restored`)
  return true
}

/** Whether a store has a file with the same bytes as the backup. */
export async function isIntact(blobs: BlobReader, { key, sha256, size }: BackedUpFile): Promise<boolean> {
  try {
    const hash = createHash('sha256')
    for await (const chunk of await openStoredBlob(blobs, { key, size })) hash.update(chunk)
    return hash.digest('hex') === sha256
  } catch (error) {
    if (error instanceof DamagedBlob) return false
    throw error
  }
}
