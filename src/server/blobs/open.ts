import type { BlobReader, BlobStore } from './blob-store.ts'
import type { BlobTarget } from './blobs-url.ts'
import { fsReader, openFsBlobs } from './fs.ts'

/**
 * Opens the store that the configuration names.
 * @param dir a folder of the local disk: all of a store that is a folder, else only what is being received
 * @throws S3Error when S3 refuses the bucket
 */
export async function openBlobs(
  target: BlobTarget,
  dir: string,
  onSyncError: (error: unknown) => void,
): Promise<BlobStore> {
  if (target.kind === 'fs') return openFsBlobs(dir, onSyncError)
  // Loaded only by who needs it: its library is large.
  const { openS3Blobs } = await import('./s3.ts')
  return openS3Blobs(target, dir)
}

/** Opens the store for reading alone: nothing is made in the folder. @throws S3Error when S3 refuses the bucket */
export async function openBlobReader(target: BlobTarget, dir: string): Promise<BlobReader> {
  if (target.kind === 'fs') return fsReader(dir)
  const { openS3Reader } = await import('./s3.ts')
  return openS3Reader(target)
}
