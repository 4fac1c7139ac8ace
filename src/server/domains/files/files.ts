import type { FeedFile } from '../../../contract/feed.ts'
import type { Data } from '../../../contract/index.ts'
import { attachedFiles, type Limits } from '../../../contract/limits.ts'
import type { UploadedFile } from '../../../contract/records.ts'
import { assertMayChange } from '../../auth/policies.ts'
import { immutable } from '../../core/cache-control.ts'
import { Failure } from '../../core/failure.ts'
import type { CommentId, FileId, ParticipantId, TopicId } from '../../core/ids.ts'
import type { Links } from '../../core/links.ts'
import { appendChange } from '../../log/changes/log.ts'
import type { ByteResponse, NewFile } from '../../operation.ts'
import { UnusableImage, unsupportedFormat } from '../../platform/images/unusable-image.ts'
import type { Scope, WriteScope } from '../../scope.ts'
import {
  type BlobReader,
  type BlobStore,
  type OwnedBlob,
  openStoredBlob,
  verifySize,
} from '../../storage/blobs/blob-store.ts'
import { isSafeImage } from '../../storage/blobs/media-type.ts'
import type { Db, Row } from '../../storage/db/tables.ts'
import {
  countFiles,
  type FileOfOwner,
  findFilesOfOwners,
  findLinks,
  findNewestStoredFile,
  findStoredFileIds,
  getFile,
  insertFile,
  listStoredFilesAfter,
  type OwnerColumn,
  softDeleteFile,
} from './store.ts'
import { moreFilesThan, tooManyFiles } from './uploads.ts'

export { countStoredFiles, findFileBlobs } from './store.ts'

/** The maximum number of files of one topic or comment. */
const maxFilesPerOwner = (limits: Limits): number => Math.max(limits.files, attachedFiles.ofEach)

/**
 * Attaches files to a topic or comment. Links that it already has and links to its own stored files are skipped:
 * clients send back the files that they have read.
 * @param actor the participant who attaches them
 * @throws Failure TOO_MANY_FILES if more files are new than a request may carry, or than the owner has room for
 */
export async function attachFiles(
  { db, now, links, limits }: Scope,
  column: OwnerColumn,
  ownerId: TopicId | CommentId,
  files: readonly NewFile[],
  actor: ParticipantId,
): Promise<void> {
  const newLinks = files.flatMap((file) => (file.kind === 'link' ? [file.link] : []))
  const knownLinks = await findLinks(db, column, ownerId, newLinks)
  const linkedIds = newLinks.flatMap((link) => links.fileIdOf(link) ?? [])
  const ownIds = await findStoredFileIds(db, column, ownerId, linkedIds)
  const isNew = (file: NewFile): boolean => {
    if (file.kind !== 'link') return true
    const id = links.fileIdOf(file.link)
    if (knownLinks.has(file.link) || (id !== undefined && ownIds.has(id))) return false
    knownLinks.add(file.link)
    return true
  }
  const added = files.filter(isNew)
  if (added.length === 0) return
  if (added.length > limits.files) throw moreFilesThan(limits.files)
  // Writes are serialized, even across instances: the count stays correct until the end of the transaction.
  const attached = await countFiles(db, column, ownerId)
  const most = maxFilesPerOwner(limits)
  if (attached + added.length > most)
    throw tooManyFiles(`A topic or comment may have at most ${most} files; this one has ${attached}.`)
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
 * Loads the files of topics or comments in one query, or none without owners. If they have too many together, each
 * owner shows its first ones.
 * @param toFile presents a file
 * @returns a lookup of an owner's files, oldest first
 */
async function loadFiles<F>(
  { db, links, limits }: Scope,
  column: OwnerColumn,
  ownerIds: (TopicId | CommentId)[],
  toFile: (row: FileOfOwner, links: Links) => F,
): Promise<(ownerId: number) => F[]> {
  const files = new Map<number, F[]>()
  const max = { ofEach: maxFilesPerOwner(limits), ofAll: attachedFiles.ofAll }
  for (const row of await findFilesOfOwners(db, column, ownerIds, max)) {
    const file = toFile(row, links)
    const owner = row.owner_id ?? 0
    const siblings = files.get(owner)
    if (siblings) siblings.push(file)
    else files.set(owner, [file])
  }
  return (ownerId) => files.get(ownerId) ?? []
}

/** The files of topics or comments, as the interface specification defines them; see {@link loadFiles}. */
export const loadUploadedFiles = (scope: Scope, column: OwnerColumn, ownerIds: (TopicId | CommentId)[]) =>
  loadFiles(scope, column, ownerIds, toUploadedFile)

/** The same, as the feed shows them. */
export const loadFeedFiles = (scope: Scope, column: OwnerColumn, ownerIds: (TopicId | CommentId)[]) =>
  loadFiles(scope, column, ownerIds, toFeedFile)

const urlOf = ({ id, link, blob_key, name }: FileOfOwner, links: Links): string =>
  blob_key === '' ? links.withMediaKey(link) : links.file(id, name)

const toUploadedFile = (row: FileOfOwner, links: Links): UploadedFile => ({
  id: String(row.id),
  link: urlOf(row, links),
  fileType: row.file_type,
})

const toFeedFile = (row: FileOfOwner, links: Links): FeedFile => ({
  id: String(row.id),
  url: urlOf(row, links),
  name: row.name,
  media_type: row.file_type,
  size: row.blob_key === '' ? null : row.size,
  is_image: row.blob_key !== '' && isSafeImage(row.file_type),
})

/** @throws Failure FILE_NOT_FOUND, FORBIDDEN */
export async function deleteFile(scope: WriteScope, fileId: FileId): Promise<Data<'deleteFile'>> {
  const file = await getFile(scope.db, fileId)
  await assertMayChange(scope, file.created_by)
  await softDeleteFile(scope.db, fileId, scope.now)
  await appendChange(scope, { kind: 'file.deleted', record: fileId, parent: file.topic })
  return { message: `Deleted File Id: ${fileId}` }
}

/**
 * Checks by a sample whether the blob store belongs to the database.
 * @returns the key of the newest file if its bytes are missing, otherwise undefined
 */
export async function findMissingFile(db: Db, blobs: BlobReader): Promise<string | undefined> {
  const newest = await findNewestStoredFile(db)
  return newest && (await blobs.size(newest.blob_key)) === undefined ? newest.blob_key : undefined
}

/** All files whose bytes we store, including deleted ones. */
export async function* listStoredFiles(db: Db): AsyncGenerator<OwnedBlob> {
  for (let after = 0; ; ) {
    const rows = await listStoredFilesAfter(db, after, batchSize)
    for (const row of rows) {
      const owner = row.topic_id === null ? `comment ${row.comment_id}` : `topic ${row.topic_id}`
      const deleted = row.is_deleted === 0 ? '' : ', deleted'
      const description = `file ${row.id} “${row.name}” of ${owner}${deleted}`
      yield { key: row.blob_key, size: row.size, sha256: row.sha256, owner: description }
    }
    after = rows.at(-1)?.id ?? after
    if (rows.length < batchSize) return
  }
}

/** Rows read per query. */
const batchSize = 500

/** A stored image that a browser displays. @throws Failure FILE_NOT_FOUND; UnusableImage for any other file */
export async function findImage(db: Db, fileId: FileId): Promise<Pick<Row<'file'>, 'blob_key' | 'size'>> {
  const file = await getFile(db, fileId)
  if (file.blob_key === '') throw new Failure('FILE_NOT_FOUND')
  if (!isSafeImage(file.file_type)) throw new UnusableImage(unsupportedFormat)
  return file
}

/** @throws Failure FILE_NOT_FOUND also for an external link, which is not served here */
export async function readFile({ db }: Scope, blobs: BlobStore, fileId: FileId): Promise<ByteResponse> {
  const file = await getFile(db, fileId)
  if (file.blob_key === '') throw new Failure('FILE_NOT_FOUND')
  return {
    fileType: file.file_type,
    size: async () => file.size,
    sha256: file.sha256,
    cacheControl: immutable,
    ...(!isSafeImage(file.file_type) && { attachment: file.name }),
    verify: () => verifySize(blobs, file.blob_key, file.size),
    open: (range) => openStoredBlob(blobs, { key: file.blob_key, size: file.size }, range),
  }
}
