import type { BackupStore } from '../backup/backup-store.ts'
import { readCatalog } from '../backup/catalog.ts'
import { updateLedger } from '../backup/ledger-objects.ts'
import { assertSameSummit } from '../backup/same-summit.ts'
import type { Config } from '../config/config.ts'
import { hasHashes, readKnownMigrations } from '../db/migrate.ts'
import type { Db } from '../db/tables.ts'
import { mergeEntries, selectEntries } from '../ledger/entries.ts'
import { readLedgerFile } from '../ledger/ledger-file.ts'
import { summitFingerprint } from '../ledger/summit-fingerprint.ts'

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
