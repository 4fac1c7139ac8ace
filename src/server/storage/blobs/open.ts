import type { BlobReader, BlobStore } from './blob-store.ts'
import type { BlobTarget } from './blob-target.ts'
import { fsReader, openFsBlobs } from './fs.ts'

/**
 * Opens the blob store.
 * @param dir a folder on the local disk, which holds the blobs, or with S3 only the staged ones
 * @throws S3Error when S3 rejects access to the bucket
 */
export async function openBlobs(
  target: BlobTarget,
  dir: string,
  onSyncError: (error: unknown) => void,
): Promise<BlobStore> {
  if (target.kind === 'fs') return openFsBlobs(dir, onSyncError)
  // Loaded on demand, because its library is large.
  const { openS3Blobs } = await import('./s3.ts')
  return openS3Blobs(target, dir)
}

/** Opens the store read-only. Creates nothing in the folder. @throws S3Error when S3 rejects access to the bucket */
export async function openBlobReader(target: BlobTarget, dir: string): Promise<BlobReader> {
  if (target.kind === 'fs') return fsReader(dir)
  const { openS3Reader } = await import('./s3.ts')
  return openS3Reader(target)
}
