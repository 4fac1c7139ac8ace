import type { CommentId, ParticipantId, TopicId } from '../core/ids.ts'
import { inChunks } from '../db/in-chunks.ts'
import type { Db } from '../db/tables.ts'
import { clearCreator, deleteFilesBy, deleteFilesOf, type OwnerColumn } from './store.ts'

/** Deletes the files of topics or comments for good. @returns the keys of their bytes */
export async function eraseFilesOf(db: Db, column: OwnerColumn, ownerIds: (TopicId | CommentId)[]): Promise<string[]> {
  const rows = await inChunks(ownerIds, (ids) => deleteFilesOf(db, column, ids))
  return rows.map(({ blob_key }) => blob_key).filter(Boolean)
}

/** Deletes the files that a participant has attached for good. @returns the keys of their bytes */
export async function eraseFilesBy(db: Db, participant: ParticipantId): Promise<string[]> {
  return (await deleteFilesBy(db, participant)).map(({ blob_key }) => blob_key).filter(Boolean)
}

/** Leaves the files that a participant has attached in place, without saying whose they are. */
export const anonymizeFiles = (db: Db, participant: ParticipantId): Promise<void> => clearCreator(db, participant)
