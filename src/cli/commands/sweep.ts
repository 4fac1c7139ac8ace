import type { Config } from '../../server/config/config.ts'
import { formatCount } from '../../server/core/format-count.ts'
import { dayMs } from '../../server/core/time-units.ts'
import { findOrphans, removeOrphans } from '../../server/domains/orphans/orphans.ts'
import { withContext, withMaintenanceLock } from '../with-context.ts'

/** Much longer than any upload or import takes. */
const graceMs = dayMs

/** Files listed without `--all`. */
const maxListed = 20

/** `summit sweep`: lists orphaned files, to which no row refers, and with `--apply` removes them. */
export async function sweep(
  config: Config,
  { apply = false, all = false }: { apply?: boolean; all?: boolean },
): Promise<void> {
  await withContext(config, async (ctx) => {
    const orphans = await findOrphans(ctx, Date.now() - graceMs)
    console.log(`${formatCount(orphans.length, 'orphaned file')} older than a day`)
    const shown = all ? orphans : orphans.slice(0, maxListed)
    for (const key of shown) console.log(`  ${key}`)
    if (orphans.length > shown.length) console.log(`  … and ${orphans.length - shown.length} more (--all lists them)`)
    if (apply) console.log(`${await withMaintenanceLock(config, () => removeOrphans(ctx, orphans))} removed`)
    else if (orphans.length > 0) console.log('\nNothing was removed. Run the same command with --apply to remove them.')
  })
}
