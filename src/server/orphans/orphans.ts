import { sweepOrphans } from '../blobs/sweep.ts'
import type { Context } from '../context.ts'
import type { Db, TableWithBlobs } from '../db/tables.ts'
import { findFileBlobs } from '../files/store.ts'
import { findReplacedImages } from '../import/replaced-images.ts'
import { findPhotoBlobs } from '../participants/store.ts'
import { findEventBlobs } from '../program/store.ts'

const batchSize = 500

/** Each finds the keys among `keys` that a row of its table refers to, deleted rows included. */
const findBlobs: Record<TableWithBlobs, (db: Db, keys: string[]) => Promise<string[]>> = {
  file: findFileBlobs,
  event: findEventBlobs,
  participant: findPhotoBlobs,
  import_record: findReplacedImages,
}

/** The blob keys among `keys` that a row refers to. */
export async function referencedBlobKeys(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const referenced = new Set<string>()
  for (let start = 0; start < keys.length; start += batchSize) {
    const batch = keys.slice(start, start + batchSize)
    for (const find of Object.values(findBlobs)) for (const key of await find(db, batch)) referenced.add(key)
  }
  return referenced
}

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

/** Removes the blobs among `keys` that no row refers to. @returns the number of removed blobs @throws AggregateError */
export const removeOrphans = (ctx: Context, keys: string[]): Promise<number> =>
  sweepOrphans(ctx.blobs, keys, (batch) => referencedBlobKeys(ctx.database.read, batch))
