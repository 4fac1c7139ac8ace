import { type ChangeFilter, readMatchingChanges } from '../../../log/changes/find-changes.ts'
import type { Db } from '../../../storage/db/tables.ts'
import { listRuns } from './import-store.ts'

/**
 * Counts the participants who were erased since the last import of participants. Nothing that would identify them is
 * stored, so an import creates again those who are still in its file.
 */
export async function countErasedSinceImport(db: Db): Promise<number> {
  const last = (await listRuns(db)).find(({ command }) => command === 'import participants')
  if (!last) return 0
  const erased = new Set<number>()
  const filter: ChangeFilter = { kinds: ['participant.forgotten', 'participant.anonymized'], since: last.at }
  for await (const changes of readMatchingChanges(db, filter))
    for (const { record_id } of changes) erased.add(record_id)
  return erased.size
}
