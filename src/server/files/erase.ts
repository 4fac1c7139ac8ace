import type { CommentId, ParticipantId, TopicId } from '../core/ids.ts'
import { inChunks } from '../db/in-chunks.ts'
import type { Db } from '../db/tables.ts'
import { clearCreator, deleteFilesBy, deleteFilesOf, findKeysOf, type OwnerColumn } from './store.ts'

/** Deletes the files of topics or comments for good. @returns the keys of their bytes */
export async function eraseFilesOf(db: Db, column: OwnerColumn, ownerIds: (TopicId | CommentId)[]): Promise<string[]> {
  const rows = await inChunks(ownerIds, (ids) => deleteFilesOf(db, column, ids))
  return keysOf(rows)
}

/** The keys of the bytes that `eraseFilesOf` would return. */
export const findFileKeysOf = async (
  db: Db,
  column: OwnerColumn,
  ownerIds: (TopicId | CommentId)[],
): Promise<string[]> => keysOf(await inChunks(ownerIds, (ids) => findKeysOf(db, column, ids)))

/** Deletes the files that a participant has attached for good. @returns the keys of their bytes */
export async function eraseFilesBy(db: Db, participant: ParticipantId): Promise<string[]> {
  return keysOf(await deleteFilesBy(db, participant))
}

/** The keys of the bytes that `eraseFilesBy` would return. */
export const findFileKeysBy = async (db: Db, participant: ParticipantId): Promise<string[]> =>
  keysOf(await findKeysOf(db, 'created_by', [participant]))

/** Links have no bytes. */
const keysOf = (files: { blob_key: string }[]): string[] => files.map(({ blob_key }) => blob_key).filter(Boolean)

/** Leaves the files that a participant has attached in place, without saying whose they are. */
export const anonymizeFiles = (db: Db, participant: ParticipantId): Promise<void> => clearCreator(db, participant)
