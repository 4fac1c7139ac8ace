import { createHash } from 'node:crypto'
import type { Progress } from '../../core/progress.ts'
import { dayMs } from '../../core/time-units.ts'
import { listOwnedBlobs } from '../../domains/orphans/owned-blobs.ts'
import { type BlobReader, type BlobStore, type OwnedBlob, openStoredBlob } from '../../storage/blobs/blob-store.ts'
import { DamagedBlob } from '../../storage/blobs/damaged-blob.ts'
import type { Db } from '../../storage/db/tables.ts'
import { type BackupReader, DamagedBackup } from './backup-reader.ts'
import type { BackupStore } from './backup-store.ts'
import type { Manifest } from './manifest.ts'

export type BackedUpFile = Manifest['files'][number]
type MissingFile = Manifest['missing'][number]

/** Storage may decay, so files that earlier backups have stored are read back again after this time. */
const verifyAgainAfterMs = 7 * dayMs

export interface StoredFiles {
  files: BackedUpFile[]
  missing: MissingFile[]
  /** Bytes that were sent. */
  sentBytes: number
}

interface Options {
  /** The rows of the snapshot. */
  db: Db
  blobs: BlobReader
  store: BackupStore
  /** The objects that the store has, with their sizes. */
  objects: ReadonlyMap<string, number>
  /** The files of the previous backup. */
  previous: readonly BackedUpFile[]
  /** In milliseconds since 1970. */
  now: number
  progress: Progress
}

/**
 * Stores every file that a row of the snapshot refers to, unless the store has it already, and reads it back.
 * @throws Failure when either store cannot be reached
 */
export async function storeFiles({
  db,
  blobs,
  store,
  objects,
  previous,
  now,
  progress,
}: Options): Promise<StoredFiles> {
  const known = new Map(previous.map((file) => [file.key, file]))
  const verifiedAt = new Map(previous.map((file) => [file.sha256, file.verifiedAt]))
  const result: StoredFiles = { files: [], missing: [], sentBytes: 0 }
  const owned = new Map<string, OwnedBlob>()
  for await (const blob of listOwnedBlobs(db)) owned.set(blob.key, blob)
  const stored = new Set<string>()

  // A key is never reused for other bytes.
  const isStored = async (file: BackedUpFile): Promise<boolean> => {
    const name = store.fileName(file.sha256)
    if (stored.has(name)) return true
    if (objects.get(name) !== store.storedSize(file.size)) return false
    if (now - file.verifiedAt < verifyAgainAfterMs) return true
    return verifies(store, file)
  }

  /** @throws DamagedBlob */
  const storeOne = async (blob: OwnedBlob): Promise<BackedUpFile> => {
    const expected = known.get(blob.key) ?? recordedContent(blob, verifiedAt)
    if (expected && (await isStored(expected)))
      return now - expected.verifiedAt < verifyAgainAfterMs ? expected : { ...expected, verifiedAt: now }
    const content = await store.writeFile(await openStoredBlob(blobs, blob))
    if (blob.sha256 !== undefined && content.sha256 !== blob.sha256) throw new DamagedBlob(blob.key, 'wrong_content')
    await store.verify(store.fileName(content.sha256), content)
    stored.add(store.fileName(content.sha256))
    result.sentBytes += content.size
    return { key: blob.key, ...content, verifiedAt: now }
  }

  await progress('Storing files', owned.size, async (onProgress) => {
    for (const blob of owned.values()) {
      try {
        result.files.push(await storeOne(blob))
      } catch (error) {
        if (!(error instanceof DamagedBlob)) throw error
        result.missing.push({ key: blob.key, owner: blob.owner, problem: error.message })
      }
      onProgress()
    }
  })
  return result
}

/** The content of a file according to its record, which may be that of other files, too. */
function recordedContent(
  { key, size, sha256 }: OwnedBlob,
  verifiedAt: ReadonlyMap<string, number>,
): BackedUpFile | undefined {
  if (size === undefined || sha256 === undefined) return undefined
  return { key, size, sha256, verifiedAt: verifiedAt.get(sha256) ?? 0 }
}

/** Whether the store has a file intact. */
async function verifies(store: BackupStore, { sha256, size }: BackedUpFile): Promise<boolean> {
  try {
    await store.verify(store.fileName(sha256), { sha256, size })
    return true
  } catch (error) {
    if (error instanceof DamagedBackup) return false
    throw error
  }
}

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
