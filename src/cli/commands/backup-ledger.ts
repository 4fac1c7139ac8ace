import { assertMounted } from '../../server/commands/backup/known-locations.ts'
import type { Config } from '../../server/config/config.ts'
import { backUpLedger } from '../../server/lifecycle/schedules/back-up-ledger.ts'
import { openInspection } from '../../server/storage/db/inspect.ts'
import { withBackups } from '../backups.ts'
import { withExistingSummit, withMaintenanceLock } from '../with-context.ts'

/**
 * `summit backup --ledger`, for the server: brings the ledger in `BACKUP_TO` up to date, once no backup is being made.
 */
export const backUpLedgerOnly = (config: Config): Promise<void> =>
  withExistingSummit(config, () =>
    withMaintenanceLock(config, async () => {
      if (config.backup.to) await assertMounted(config.dataDir, config.backup.to)
      await withBackups(config, undefined, async ({ store }) => {
        const { read, close } = await openInspection(config.database)
        await backUpLedger(config, store, read).finally(close)
      })
    }),
  )
