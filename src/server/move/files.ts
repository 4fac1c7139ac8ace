import { createHash } from 'node:crypto'
import { type BlobStore, openStored } from '../blobs/blob-store.ts'

/** Copies what is not there yet. @param onProgress told after each file */
export async function copyFiles(from: BlobStore, to: BlobStore, onProgress: () => void): Promise<void> {
  for await (const { key } of from.list()) {
    // A key is never given to other bytes, and has either all of its bytes or none.
    if ((await to.size(key)) === undefined) await copyFile(from, to, key)
    onProgress()
  }
}

async function copyFile(from: BlobStore, to: BlobStore, key: string): Promise<void> {
  const staged = await to.stage(await openStored(from, { key }), Number.POSITIVE_INFINITY)
  try {
    await staged.store(key)
    await to.confirm(key)
  } finally {
    await staged.discard()
  }
}

/** What is in two stores, compared byte by byte. */
export interface FilesCompared {
  files: number
  /** Keys that only the first has, or under which they have other bytes. */
  different: string[]
  /** Keys that only the second has. */
  extra: string[]
}

/** @param onProgress told after each file of `from` */
export async function compareFiles(from: BlobStore, to: BlobStore, onProgress: () => void): Promise<FilesCompared> {
  const extra = new Set<string>()
  for await (const { key } of to.list()) extra.add(key)
  const different: string[] = []
  let files = 0
  for await (const { key } of from.list()) {
    if (!extra.delete(key) || (await sha256Of(from, key)) !== (await sha256Of(to, key))) different.push(key)
    files++
    onProgress()
  }
  return { files, different, extra: [...extra] }
}

/** Keys that only the first has. */
export async function missingFiles(from: BlobStore, to: BlobStore): Promise<string[]> {
  const there = new Set<string>()
  for await (const { key } of to.list()) there.add(key)
  const missing: string[] = []
  for await (const { key } of from.list()) if (!there.has(key)) missing.push(key)
  return missing
}

export async function countFiles(blobs: BlobStore): Promise<number> {
  let files = 0
  for await (const _ of blobs.list()) files++
  return files
}

async function sha256Of(blobs: BlobStore, key: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of await openStored(blobs, { key })) hash.update(chunk)
  return hash.digest('hex')
}
