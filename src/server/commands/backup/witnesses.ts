import type { Witness } from '../../log/audit/verify-chain.ts'
import type { BackupReader } from './backup-reader.ts'
import { readCatalog } from './catalog.ts'

/** The heads of the change log that the backups of a location recorded. */
export async function manifestWitnesses(store: BackupReader): Promise<Witness[]> {
  const entries = await readCatalog(store, await store.list())
  return entries.flatMap(({ id, summary }) =>
    summary?.audit ? [{ ...summary.audit, at: summary.createdAt, source: `the backup ${id}` }] : [],
  )
}
