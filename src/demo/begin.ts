import { appendChange } from '../server/changes/log.ts'
import type { Context } from '../server/context.ts'
import type { Db } from '../server/db/tables.ts'
import { confirmStored } from '../server/files/uploads.ts'
import { commandScope } from '../server/scope.ts'

/**
 * Fills a new database with the sample summit, or leaves it empty, in one transaction; one that has been started
 * before is left as it is. The change log knows: its first row is how the summit began.
 * @returns whether it had begun before
 */
export async function beginSummit(ctx: Context, how: 'sample' | 'empty'): Promise<boolean> {
  if (await hasBegun(ctx.database.read)) return true
  // Not loaded by any later start.
  const sample = how === 'sample' ? await import('./load.ts') : undefined
  const files = await sample?.storeFiles(ctx)
  // Should this fail, the next start removes the files, which no row names.
  const hadBegun = await ctx.database.transaction(async (tx) => {
    // Another process may have started at the same time.
    if (await hasBegun(tx)) return true
    const scope = commandScope(ctx, tx, how)
    await appendChange(scope, { kind: 'summit.created', record: 0 })
    if (files) await sample?.load(scope, files)
    return false
  })
  if (files && !hadBegun) await confirmStored([...files.values()], ctx.blobs, leaveToNextStart)
  return hadBegun
}

function leaveToNextStart(): void {}

const hasBegun = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('change').select('id').limit(1).executeTakeFirst()) !== undefined
