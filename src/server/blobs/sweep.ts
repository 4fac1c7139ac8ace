import type { BlobStore } from './blob-store.ts'

const atOnce = 500

/**
 * Removes blobs that no row names: those of a process that was killed between storing the bytes and the row, for one.
 * One that cannot be removed keeps none of the others.
 * @param keys what may be removed: none of an upload under way is among them
 * @param referenced which of these keys a row names
 * @returns how many were removed
 * @throws AggregateError with why some could not be
 */
export async function sweepOrphans(
  blobs: BlobStore,
  keys: string[],
  referenced: (keys: string[]) => Promise<Set<string>>,
): Promise<number> {
  const errors: unknown[] = []
  let removed = 0
  for (let start = 0; start < keys.length; start += atOnce) {
    const some = keys.slice(start, start + atOnce)
    const kept = await referenced(some)
    for (const key of some) {
      try {
        if (kept.has(key)) await blobs.confirm(key)
        else {
          await blobs.remove(key)
          removed++
        }
      } catch (error) {
        errors.push(error)
      }
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} blobs could not be removed`)
  return removed
}
