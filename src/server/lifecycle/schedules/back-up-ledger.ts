import type { BackupStore } from '../../commands/backup/backup-store.ts'
import { assertSameSummit, readCatalog } from '../../commands/backup/catalog.ts'
import { updateLedger } from '../../commands/backup/ledger-objects.ts'
import type { Config } from '../../config/config.ts'
import { mergeEntries, selectEntries } from '../../log/ledger/entries.ts'
import { readLedgerFile } from '../../log/ledger/ledger-file.ts'
import { summitFingerprint } from '../../log/ledger/summit-fingerprint.ts'
import { hasHashes, readKnownMigrations } from '../../storage/db/migrate.ts'
import type { Db } from '../../storage/db/tables.ts'

/**
 * Brings the ledger of a location up to date with the change log, and with the ledger in `DATA_DIR`, which has the entries
 * of states before a restore.
 * @throws OperatorError when the location has the backups of another summit, to which these entries would do harm
 */
export async function backUpLedger({ dataDir }: Config, store: BackupStore, db: Db): Promise<void> {
  const migrations = await readKnownMigrations(db)
  if (migrations.length === 0) return updateLedger(store, [])
  const summit = await summitFingerprint(db)
  assertSameSummit(await readCatalog(store, await store.list()), summit)
  const logged = await selectEntries(db, { hasHashes: hasHashes(migrations) })
  const recorded = (await readLedgerFile(dataDir)) ?? []
  await updateLedger(
    store,
    // The file has the older ones: those from before a restore, and then what the log has, too.
    mergeEntries(
      recorded.filter((entry) => entry.summit === summit),
      logged,
    ),
  )
}
