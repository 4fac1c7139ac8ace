import { createHash } from 'node:crypto'
import { type BlobReader, type OwnedBlob, openStored } from '../blobs/blob-store.ts'
import { DamagedBlob } from '../blobs/damaged-blob.ts'
import { Failure } from '../core/failure.ts'
import type { Progress } from '../core/progress.ts'
import type { Db } from '../db/tables.ts'
import { countStoredFiles, listStoredFiles } from '../files/files.ts'
import { countStoredPictures, listStoredPictures } from '../program/pictures.ts'
import type { Findings } from './findings.ts'

/** Files that are read side by side: a store that is elsewhere takes most of its time to begin. */
const atOnce = 8

/**
 * Reads every stored file and picture that a row names, and compares it with what the row says.
 * @throws Failure when the store cannot be reached, and what reading rows fails with
 */
export async function checkFiles(db: Db, blobs: BlobReader, findings: Findings, progress: Progress): Promise<void> {
  const all = (await countStoredFiles(db)) + (await countStoredPictures(db))
  await progress('Reading files', all, async (onProgress) => {
    const remaining = everyBlob(db)
    const checkInTurn = async () => {
      for await (const blob of remaining) {
        const problem = await problemOf(blobs, blob)
        if (problem !== undefined) findings.add(`${blob.owner}: ${problem}`)
        findings.files++
        onProgress()
      }
    }
    await Promise.all(Array.from({ length: atOnce }, checkInTurn))
  })
}

async function* everyBlob(db: Db): AsyncGenerator<OwnedBlob> {
  yield* listStoredFiles(db)
  yield* listStoredPictures(db)
}

/** What is wrong with stored bytes; undefined if nothing is. */
async function problemOf(blobs: BlobReader, { key, size, sha256 }: OwnedBlob): Promise<string | undefined> {
  try {
    const hash = createHash('sha256')
    for await (const chunk of await openStored(blobs, { key, size })) hash.update(chunk)
    if (sha256 !== undefined && hash.digest('hex') !== sha256) throw new DamagedBlob(key, 'wrong_content')
    return undefined
  } catch (error) {
    if (error instanceof DamagedBlob) return error.message
    // A store that is away says nothing of its files.
    if (error instanceof Failure) throw error
    return `the stored file ${key} cannot be read: ${error instanceof Error ? error.message : error}`
  }
}
