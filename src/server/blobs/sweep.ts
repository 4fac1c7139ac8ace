import type { BlobStore } from './blob-store.ts'

const atOnce = 500

/**
 * Removes blobs that no row names: those of a process that was killed between storing the bytes and the row.
 * @param keys listed before the first request was taken, so that no upload under way is among them
 * @param referenced which of these keys a row names
 * @returns how many were removed
 */
export async function sweepOrphans(
  blobs: BlobStore,
  keys: string[],
  referenced: (keys: string[]) => Promise<Set<string>>,
): Promise<number> {
  let removed = 0
  for (let start = 0; start < keys.length; start += atOnce) {
    const some = keys.slice(start, start + atOnce)
    const kept = await referenced(some)
    for (const key of some.filter((key) => !kept.has(key))) {
      await blobs.remove(key)
      removed++
    }
  }
  return removed
}
