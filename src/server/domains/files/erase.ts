import type { CommentId, ParticipantId, TopicId } from '../../core/ids.ts'
import { inChunks } from '../../storage/db/in-chunks.ts'
import type { Db } from '../../storage/db/tables.ts'
import { deleteFilesBy, deleteFilesOf, type OwnerColumn } from './store.ts'

/** Deletes the files of topics or comments for good. @returns the keys of their bytes */
export async function eraseFilesOf(db: Db, column: OwnerColumn, ownerIds: (TopicId | CommentId)[]): Promise<string[]> {
  const rows = await inChunks(ownerIds, (ids) => deleteFilesOf(db, column, ids))
  return keysOf(rows)
}

/** Deletes the files that a participant has attached for good. @returns the keys of their bytes */
export async function eraseFilesBy(db: Db, participant: ParticipantId): Promise<string[]> {
  return keysOf(await deleteFilesBy(db, participant))
}

/** Links have no bytes. */
const keysOf = (files: { blob_key: string }[]): string[] => files.map(({ blob_key }) => blob_key).filter(Boolean)
