import type { ParticipantId } from '../core/ids.ts'
import type { Db } from '../db/tables.ts'
import { deleteRecordsOf } from './import-store.ts'

/** Deletes what imports have recorded of a participant: who has been forgotten must not come back with an undo. */
export const forgetImported = (db: Db, id: ParticipantId): Promise<void> => deleteRecordsOf(db, 'participant', id)
