import type { Data } from '../../contract/index.ts'
import { attachedFiles, type Limits } from '../../contract/limits.ts'
import type { UploadedFile } from '../../contract/records.ts'
import { type BlobStore, type OwnedBlob, openStoredBlob, verifySize } from '../blobs/blob-store.ts'
import { appendChange } from '../changes/log.ts'
import { Failure } from '../core/failure.ts'
import type { CommentId, FileId, ParticipantId, TopicId } from '../core/ids.ts'
import type { Db } from '../db/tables.ts'
import { isSafeImage } from '../images/media-type.ts'
import type { ByteResponse } from '../operation.ts'
import type { Scope, WriteScope } from '../scope.ts'
import {
  countFiles,
  countStored,
  filesOfOwners,
  findNewestStored,
  getFile,
  insertFile,
  knownLinks,
  type OwnerColumn,
  softDeleteFile,
  storedAfter,
  storedFilesAmong,
} from './store.ts'
import type { NewFile } from './uploads.ts'

/** Files that a topic or comment may have at a time. */
const mostOfEach = (limits: Limits): number => Math.max(limits.files, attachedFiles.ofEach)

/**
 * Attaches files to a topic or comment. A link that it has already is not added again, nor is one that leads to a
 * stored file of its own: clients send back what they have read.
 * @param actor the participant who does it
 * @throws Failure TOO_MANY_FILES for more that are new than a request may bring, or than there is room for
 */
export async function attachFiles(
  { db, now, links, limits }: Scope,
  column: OwnerColumn,
  ownerId: TopicId | CommentId,
  files: readonly NewFile[],
  actor: ParticipantId,
): Promise<void> {
  const given = files.flatMap((file) => (file.kind === 'link' ? [file.link] : []))
  const known = await knownLinks(db, column, ownerId, given)
  const ownIds = given.flatMap((link) => links.fileIdOf(link) ?? [])
  const stored = await storedFilesAmong(db, column, ownerId, ownIds)
  const isNew = (file: NewFile): boolean => {
    if (file.kind !== 'link') return true
    const id = links.fileIdOf(file.link)
    if (known.has(file.link) || (id !== undefined && stored.has(id))) return false
    known.add(file.link)
    return true
  }
  const added = files.filter(isNew)
  if (added.length === 0) return
  if (added.length > limits.files) throw new Failure('TOO_MANY_FILES')
  // Writes run one after the other, also those of other instances: nothing is added between this look and the end.
  const there = await countFiles(db, column, ownerId)
  if (there + added.length > mostOfEach(limits)) throw new Failure('TOO_MANY_FILES')
  const owner = { topic_id: null, comment_id: null, [column]: ownerId }
  for (const file of added) {
    const content =
      file.kind === 'link'
        ? { link: file.link }
        : { blob_key: file.blobKey, name: file.name, size: file.size, sha256: file.sha256 }
    await insertFile(db, { ...owner, ...content, file_type: file.fileType, created_at: now, created_by: actor })
  }
}

/**
 * The files of some topics or comments at once, without a query for none. Where all have too many together, each shows
 * its first ones.
 * @returns those of one of them, oldest first
 */
export async function uploadedFilesOf(
  { db, links, limits }: Scope,
  column: OwnerColumn,
  ownerIds: (TopicId | CommentId)[],
): Promise<(ownerId: number) => UploadedFile[]> {
  const files = new Map<number, UploadedFile[]>()
  const most = { ofEach: mostOfEach(limits), ofAll: attachedFiles.ofAll }
  for (const row of await filesOfOwners(db, column, ownerIds, most)) {
    const file: UploadedFile = {
      id: String(row.id),
      link: row.blob_key === '' ? row.link : links.file(row.id, row.name),
      fileType: row.file_type,
    }
    const owner = row.owner_id ?? 0
    const siblings = files.get(owner)
    if (siblings) siblings.push(file)
    else files.set(owner, [file])
  }
  return (ownerId) => files.get(ownerId) ?? []
}

/** The files of what has none, without a look. */
export const noFiles = (): UploadedFile[] => []

/** @throws Failure FILE_NOT_FOUND */
export async function deleteFile(scope: WriteScope, fileId: FileId): Promise<Data<'deleteFile'>> {
  const file = await getFile(scope.db, fileId)
  await softDeleteFile(scope.db, fileId, scope.now)
  await appendChange(scope, { kind: 'file.deleted', record: fileId, parent: file.topic })
  return { message: `Deleted File Id: ${fileId}` }
}

/**
 * A look at whether a store has the files of a database, without a look at all of them.
 * @returns the key of the newest file if its bytes are not there, else undefined
 */
export async function findMissingFile(db: Db, blobs: BlobStore): Promise<string | undefined> {
  const newest = await findNewestStored(db)
  return newest && (await blobs.size(newest.blob_key)) === undefined ? newest.blob_key : undefined
}

/** Every file with bytes of our own, deleted ones included. */
export async function* storedFiles(db: Db): AsyncGenerator<OwnedBlob> {
  for (let after = 0; ; ) {
    const rows = await storedAfter(db, after, atOnce)
    for (const row of rows) {
      const owner = row.topic_id === null ? `comment ${row.comment_id}` : `topic ${row.topic_id}`
      const deleted = row.is_deleted === 0 ? '' : ', deleted'
      const file = `file ${row.id} “${row.name}” of ${owner}${deleted}`
      yield { key: row.blob_key, size: row.size, sha256: row.sha256, owner: file }
    }
    after = rows.at(-1)?.id ?? after
    if (rows.length < atOnce) return
  }
}

/** Rows that are read at a time. */
const atOnce = 500

/** How many {@link storedFiles} there are. */
export const countStoredFiles = (db: Db): Promise<number> => countStored(db)

/** A stored file never changes: whoever has its bytes may keep them (RFC 8246). */
const forever = 'public, max-age=31536000, immutable'

/** @throws Failure FILE_NOT_FOUND also for an external link, which we do not serve */
export async function readFile({ db }: Scope, blobs: BlobStore, fileId: FileId): Promise<ByteResponse> {
  const file = await getFile(db, fileId)
  if (file.blob_key === '') throw new Failure('FILE_NOT_FOUND')
  return {
    fileType: file.file_type,
    size: async () => file.size,
    sha256: file.sha256,
    cacheControl: forever,
    ...(!isSafeImage(file.file_type) && { attachment: file.name }),
    verify: () => verifySize(blobs, file.blob_key, file.size),
    open: (range) => openStoredBlob(blobs, { key: file.blob_key, size: file.size }, range),
  }
}
