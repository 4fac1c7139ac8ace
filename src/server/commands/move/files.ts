import { createHash } from 'node:crypto'
import { type BlobStore, openStoredBlob } from '../../storage/blobs/blob-store.ts'

/** Copies the files that `to` does not have yet. @param onProgress called after each file */
export async function copyFiles(from: BlobStore, to: BlobStore, onProgress: () => void): Promise<void> {
  for await (const { key } of from.list()) {
    // A key is never reused for other bytes, and has either all of its bytes or none.
    if ((await to.size(key)) === undefined) await copyFile(from, to, key)
    onProgress()
  }
}

async function copyFile(from: BlobStore, to: BlobStore, key: string): Promise<void> {
  const staged = await to.stage(await openStoredBlob(from, { key }), Number.POSITIVE_INFINITY)
  try {
    await staged.store(key)
    await to.confirm(key)
  } finally {
    await staged.discard()
  }
}

/** The result of comparing two stores byte by byte. */
export interface FileComparison {
  files: number
  /** Keys that only `from` has, or whose bytes differ. */
  different: string[]
  /** Keys that only `to` has. */
  extra: string[]
}

/** @param onProgress called after each file of `from` */
export async function compareFiles(from: BlobStore, to: BlobStore, onProgress: () => void): Promise<FileComparison> {
  const extra = new Set<string>()
  for await (const { key } of to.list()) extra.add(key)
  const different: string[] = []
  let files = 0
  for await (const { key } of from.list()) {
    if (!extra.delete(key) || (await hashFile(from, key)) !== (await hashFile(to, key))) different.push(key)
    files++
    onProgress()
  }
  return { files, different, extra: [...extra] }
}

/** Keys that only `from` has. */
export async function findMissingFiles(from: BlobStore, to: BlobStore): Promise<string[]> {
  const existing = new Set<string>()
  for await (const { key } of to.list()) existing.add(key)
  const missing: string[] = []
  for await (const { key } of from.list()) if (!existing.has(key)) missing.push(key)
  return missing
}

export async function countFiles(blobs: BlobStore): Promise<number> {
  let files = 0
  for await (const _ of blobs.list()) files++
  return files
}

async function hashFile(blobs: BlobStore, key: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of await openStoredBlob(blobs, { key })) hash.update(chunk)
  return hash.digest('hex')
}
