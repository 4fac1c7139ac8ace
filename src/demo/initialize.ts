import type { Context } from '../server/context.ts'
import { confirmStored } from '../server/domains/files/uploads.ts'
import { appendChange } from '../server/log/changes/log.ts'
import { commandScope } from '../server/scope.ts'
import type { Db } from '../server/storage/db/tables.ts'
import type { LoadedIds } from './load.ts'

/**
 * Initializes a new database with the sample summit, or empty, in one transaction. An initialized database is
 * unchanged: its change log has a row. The portraits and banners of the sample follow in a transaction of their own, as
 * their keys have the ids of records; a summit whose first start was killed in between has drawn ones.
 * @returns whether it was initialized before
 */
export async function initializeSummit(ctx: Context, content: 'sample' | 'empty'): Promise<boolean> {
  if (await isInitialized(ctx.database.read)) return true
  // Later starts do not load it.
  const sample = content === 'sample' ? await import('./load.ts') : undefined
  const keys: string[] = []
  const files = await sample?.storeSampleFiles(ctx, keys)
  let ids: LoadedIds | undefined
  // If this fails, the next start removes the files: no row refers to them.
  const wasInitialized = await ctx.database.transaction(async (tx) => {
    // Another process may have started at the same time.
    if (await isInitialized(tx)) return true
    const scope = commandScope(ctx, tx, content)
    await appendChange(scope, { kind: 'summit.created', record: 0 })
    if (files) ids = await sample?.loadSample(scope, files)
    return false
  })
  if (wasInitialized) return true
  await confirmStored(keys, ctx.blobs, leaveForNextStart)
  if (sample && ids) await showPictures(ctx, sample, ids)
  return false
}

async function showPictures(ctx: Context, sample: typeof import('./load.ts'), ids: LoadedIds): Promise<void> {
  const keys: string[] = []
  const shown = await sample.storeSamplePictures(ctx, ids, keys)
  await ctx.database.transaction(async (tx) => {
    for (const show of shown) await show({ ...commandScope(ctx, tx, 'sample'), now: ids.created })
  })
  await confirmStored(keys, ctx.blobs, leaveForNextStart)
}

function leaveForNextStart(): void {}

const isInitialized = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('change').select('id').limit(1).executeTakeFirst()) !== undefined
