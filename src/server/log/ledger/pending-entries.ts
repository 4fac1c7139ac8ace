import { Failure, mayBeStored } from '../../core/failure.ts'
import type { Database } from '../../storage/db/open.ts'
import type { Db } from '../../storage/db/tables.ts'
import { ledgerKinds, selectEntries } from './entries.ts'
import { appendToLedgerFile } from './ledger-file.ts'

/** For each transaction, the ids of the changes of its current write that are to be recorded after the commit. */
const notedIn = new WeakMap<Db, number[]>()

/** Notes a change of a transaction, if it is an erasure or a revocation. */
export function notePending(tx: Db, kind: string, id: number): void {
  if (ledgerKinds.has(kind)) notedIn.get(tx)?.push(id)
}

/** A client may repeat the write, which is stored, while the ledger is completed later. */
const failAsUnknown = (cause: unknown): never => {
  throw new Failure('OUTCOME_UNKNOWN', { cause })
}

/**
 * A database whose erasures and revocations are in the ledger of `DATA_DIR` before they are acknowledged. Only those
 * that are committed get there, as applying another one to a backup would destroy data.
 * @param onMissing called once a write is stored whose entry is not; the write succeeds if it returns
 */
export function recordInLedger(
  database: Database,
  dataDir: string,
  onMissing: (cause: unknown) => void = failAsUnknown,
): Database {
  const pending = new Set<number>()
  let recording: Promise<void> = Promise.resolve()

  const record = async () => {
    const noted = [...pending]
    if (noted.length === 0) return
    const { id: newest } = await database.position()
    await appendToLedgerFile(dataDir, await selectEntries(database.read, { ids: noted }))
    // Those above may not have been committed yet; of the others, those that are not in the log were rolled back.
    for (const id of noted) if (id <= newest) pending.delete(id)
  }

  const recordNoted = (noted: readonly number[]): Promise<void> => {
    for (const id of noted) pending.add(id)
    recording = recording.catch(() => {}).then(record)
    return recording
  }

  return {
    ...database,
    transaction: async (work) => {
      let noted: number[] = []
      const run = (tx: Db) => {
        // Work may run twice, and several share a transaction one after the other.
        noted = []
        notedIn.set(tx, noted)
        return work(tx)
      }
      const result = await database.transaction(run).catch((error: unknown) => {
        // The log says whether the changes were committed.
        if (mayBeStored(error) && noted.length > 0) recordNoted(noted).catch(() => {})
        throw error
      })
      if (noted.length === 0) return result
      await recordNoted(noted).catch(onMissing)
      return result
    },
  }
}
