import type { ParticipantId } from '../core/ids.ts'
import type { Db } from '../db/tables.ts'
import { deleteRecordsOf } from './import-store.ts'

/**
 * Deletes everything that imports have recorded of a participant: undoing an import must not restore a forgotten one.
 */
export const forgetImported = (db: Db, id: ParticipantId): Promise<void> => deleteRecordsOf(db, 'participant', id)
