import { sweepOrphans } from '../blobs/sweep.ts'
import type { Context } from '../context.ts'
import { blobsOfFiles } from '../files/store.ts'
import { blobsOfEvents } from '../program/store.ts'

const atOnce = 500

/** Which of these blobs a row names. */
export async function namedBlobs({ database }: Context, keys: string[]): Promise<Set<string>> {
  return new Set([...(await blobsOfFiles(database.read, keys)), ...(await blobsOfEvents(database.read, keys))])
}

/**
 * Looks through all that is kept.
 * @param before in milliseconds since 1970; what was stored later may be waiting for its row
 * @returns the keys of blobs that no row names
 */
export async function findOrphans(ctx: Context, before: number): Promise<string[]> {
  const old: string[] = []
  for await (const { key, storedAt } of ctx.blobs.list()) if (storedAt < before) old.push(key)
  const orphans: string[] = []
  for (let start = 0; start < old.length; start += atOnce) {
    const some = old.slice(start, start + atOnce)
    const named = await namedBlobs(ctx, some)
    orphans.push(...some.filter((key) => !named.has(key)))
  }
  return orphans
}

/** Removes those of these blobs that no row names. @returns how many @throws AggregateError */
export const removeOrphans = (ctx: Context, keys: string[]): Promise<number> =>
  sweepOrphans(ctx.blobs, keys, (some) => namedBlobs(ctx, some))
