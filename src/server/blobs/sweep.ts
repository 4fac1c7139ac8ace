import { formatCount } from '../core/format-count.ts'
import type { BlobStore } from './blob-store.ts'

const batchSize = 500

/**
 * Removes blobs that no row refers to, such as those of a process that was killed between storing the bytes and
 * committing the row. If one cannot be removed, the others still are.
 * @param keys candidates for removal; must not include keys of uploads in progress
 * @param findReferenced returns the keys among its argument that a row refers to
 * @returns the number of removed blobs
 * @throws AggregateError with the reasons why some could not be removed
 */
export async function sweepOrphans(
  blobs: BlobStore,
  keys: string[],
  findReferenced: (keys: string[]) => Promise<Set<string>>,
): Promise<number> {
  const errors: unknown[] = []
  let removed = 0
  for (let start = 0; start < keys.length; start += batchSize) {
    const batch = keys.slice(start, start + batchSize)
    const referenced = await findReferenced(batch)
    for (const key of batch) {
      try {
        if (referenced.has(key)) await blobs.confirm(key)
        else {
          await blobs.remove(key)
          removed++
        }
      } catch (error) {
        errors.push(error)
      }
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `${formatCount(errors.length, 'blob')} could not be removed`)
  return removed
}
