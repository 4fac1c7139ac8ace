import type { Context } from '../../context.ts'
import { formatCount } from '../../core/format-count.ts'
import { referencedBlobKeys } from './owned-blobs.ts'

/**
 * Searches all stored blobs.
 * @param before in milliseconds since 1970; blobs stored later may still get their row
 * @returns the keys of blobs that no row refers to
 */
export async function findOrphans({ blobs, database }: Context, before: number): Promise<string[]> {
  const old: string[] = []
  for await (const { key, storedAt } of blobs.list()) if (storedAt < before) old.push(key)
  const referenced = await referencedBlobKeys(database.read, old)
  return old.filter((key) => !referenced.has(key))
}

const batchSize = 500

/**
 * Removes blobs that no row refers to, such as those of a process that was killed between storing the bytes and
 * committing the row. If one cannot be removed, the others still are.
 * @param keys candidates for removal; must not include keys of uploads in progress
 * @returns the number of removed blobs
 * @throws AggregateError with the reasons why some could not be removed
 */
export async function removeOrphans({ blobs, database }: Context, keys: string[]): Promise<number> {
  const errors: unknown[] = []
  let removed = 0
  // Rows are read right before each batch is removed: the key of a photo may be stored again meanwhile.
  for (let start = 0; start < keys.length; start += batchSize) {
    const batch = keys.slice(start, start + batchSize)
    const referenced = await referencedBlobKeys(database.read, batch)
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
