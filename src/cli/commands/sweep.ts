import { findOrphans, removeOrphans } from '../../server/orphans/orphans.ts'
import { withContext } from '../with-context.ts'

/** No upload or import takes nearly as long. */
const graceMs = 24 * 60 * 60 * 1000

/** As many are listed, unless all are asked for. */
const listed = 20

/** `summit sweep`: lists files that nothing names, and removes them with `--apply`. */
export async function sweep({ apply = false, all = false }: { apply?: boolean; all?: boolean }): Promise<void> {
  await withContext(async (ctx) => {
    const orphans = await findOrphans(ctx, Date.now() - graceMs)
    console.log(`${orphans.length} files older than a day that nothing names`)
    const shown = all ? orphans : orphans.slice(0, listed)
    for (const key of shown) console.log(`  ${key}`)
    if (orphans.length > shown.length) console.log(`  … and ${orphans.length - shown.length} more (--all lists them)`)
    if (apply) console.log(`${await removeOrphans(ctx, orphans)} removed`)
    else if (orphans.length > 0) console.log('\nNothing was removed. To do this: the same command with --apply')
  })
}
