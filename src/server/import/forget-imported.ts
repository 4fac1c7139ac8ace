import type { ParticipantId } from '../core/ids.ts'
import type { Db } from '../db/tables.ts'
import { deleteRecordsOf } from './import-store.ts'
import { imageKeys } from './record-states.ts'

/**
 * Deletes what imports have recorded of a participant: a forgotten participant must not come back with an undo.
 * @returns the keys of their former photos
 */
export async function forgetImported(db: Db, id: ParticipantId): Promise<string[]> {
  const records = await deleteRecordsOf(db, 'participant', id)
  const states = records.flatMap(({ before, after }) => [before, after]).filter((state) => state !== '')
  return states.flatMap((state) => imageKeys('participant', state))
}
