import { createHash } from 'node:crypto'
import { type BlobReader, type OwnedBlob, openStoredBlob } from '../blobs/blob-store.ts'
import { DamagedBlob } from '../blobs/damaged-blob.ts'
import { Failure } from '../core/failure.ts'
import type { Progress } from '../core/progress.ts'
import type { Db, TableWithBlobs } from '../db/tables.ts'
import { countStoredFiles, listStoredFiles } from '../files/files.ts'
import { countReplacedImages, listReplacedImages } from '../import/replaced-images.ts'
import { countStoredPhotos, listStoredPhotos } from '../participants/photos.ts'
import { countStoredPictures, listStoredPictures } from '../program/pictures.ts'
import type { Findings } from './findings.ts'

/** Files that are read concurrently: a remote store takes most of the time to respond. */
const concurrency = 8

interface StoredBlobs {
  count(db: Db): Promise<number>
  list(db: Db): AsyncGenerator<OwnedBlob>
}

/** The blobs that the rows of each table refer to. */
const blobsOf: Record<TableWithBlobs, StoredBlobs> = {
  file: { count: countStoredFiles, list: listStoredFiles },
  event: { count: countStoredPictures, list: listStoredPictures },
  participant: { count: countStoredPhotos, list: listStoredPhotos },
  import_record: { count: countReplacedImages, list: listReplacedImages },
}

/**
 * Reads every stored file and picture that a row refers to, and compares it with the row.
 * @throws Failure when the store cannot be reached; also errors of reading rows
 */
export async function checkFiles(db: Db, blobs: BlobReader, findings: Findings, progress: Progress): Promise<void> {
  let total = 0
  for (const { count } of Object.values(blobsOf)) total += await count(db)
  await progress('Reading files', total, async (onProgress) => {
    const remaining = listOwnedBlobs(db)
    const checkRemaining = async () => {
      for await (const blob of remaining) {
        const problem = await checkBlob(blobs, blob)
        if (problem !== undefined) findings.add(`${blob.owner}: ${problem}`)
        findings.files++
        onProgress()
      }
    }
    await Promise.all(Array.from({ length: concurrency }, checkRemaining))
  })
}

/** All blobs that rows refer to, deleted rows included. */
export async function* listOwnedBlobs(db: Db): AsyncGenerator<OwnedBlob> {
  for (const { list } of Object.values(blobsOf)) yield* list(db)
}

/** @returns the problem of a blob; undefined if there is none */
async function checkBlob(blobs: BlobReader, { key, size, sha256 }: OwnedBlob): Promise<string | undefined> {
  try {
    const hash = createHash('sha256')
    for await (const chunk of await openStoredBlob(blobs, { key, size })) hash.update(chunk)
    if (sha256 !== undefined && hash.digest('hex') !== sha256) throw new DamagedBlob(key, 'wrong_content')
    return undefined
  } catch (error) {
    if (error instanceof DamagedBlob) return error.message
    // An unavailable store says nothing about the file.
    if (error instanceof Failure) throw error
    return `the stored file ${key} cannot be read: ${error instanceof Error ? error.message : error}`
  }
}
