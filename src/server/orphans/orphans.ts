import { sweepOrphans } from '../blobs/sweep.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/tables.ts'
import { findFileBlobs } from '../files/store.ts'
import { findEventBlobs } from '../program/store.ts'

const atOnce = 500

/** Which of these blobs a row names. */
export async function namedBlobs(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const named = new Set<string>()
  for (let start = 0; start < keys.length; start += atOnce) {
    const some = keys.slice(start, start + atOnce)
    for (const key of await findFileBlobs(db, some)) named.add(key)
    for (const key of await findEventBlobs(db, some)) named.add(key)
  }
  return named
}

/**
 * Looks through all that is kept.
 * @param before in milliseconds since 1970; what was stored later may be waiting for its row
 * @returns the keys of blobs that no row names
 */
export async function findOrphans({ blobs, database }: Context, before: number): Promise<string[]> {
  const old: string[] = []
  for await (const { key, storedAt } of blobs.list()) if (storedAt < before) old.push(key)
  const named = await namedBlobs(database.read, old)
  return old.filter((key) => !named.has(key))
}

/** Removes those of these blobs that no row names. @returns how many @throws AggregateError */
export const removeOrphans = (ctx: Context, keys: string[]): Promise<number> =>
  sweepOrphans(ctx.blobs, keys, (some) => namedBlobs(ctx.database.read, some))
