import { sql } from 'kysely'
import { Failure } from '../../core/failure.ts'
import type { CommentId, FileId, ParticipantId, TopicId } from '../../core/ids.ts'
import { prepared } from '../../storage/db/prepared.ts'
import type { Db, NewRow, Row } from '../../storage/db/tables.ts'

/** The column that refers to a file's owner. */
export type OwnerColumn = 'topic_id' | 'comment_id'

/** A file as shown, with the topic or comment that it belongs to. */
export type FileOfOwner = Pick<Row<'file'>, 'id' | 'link' | 'blob_key' | 'name' | 'file_type' | 'size'> & {
  owner_id: TopicId | CommentId | null
}

const selectFiles = (db: Db, column: OwnerColumn) =>
  db
    .selectFrom('file')
    .select(['id', 'link', 'blob_key', 'name', 'file_type', 'size', `${column} as owner_id`])
    .orderBy('id')

const prepareAll = (column: OwnerColumn) =>
  prepared((db, ids: (TopicId | CommentId)[]) =>
    selectFiles(db, column).where(column, 'in', ids).where('is_deleted', '=', 0),
  )

/** The first files of each owner, at most `max` in all. Links are long, so only those that are shown are read. */
const prepareFirst = (column: OwnerColumn) =>
  prepared((db, ids: (TopicId | CommentId)[], max: number) => {
    const ranked = db
      .selectFrom('file')
      .select(['id', sql<number>`row_number() over (partition by ${sql.ref(column)} order by id)`.as('rank')])
      .where(column, 'in', ids)
      .where('is_deleted', '=', 0)
      .as('ranked')
    // The running total adds all files of equal rank at once.
    const counted = db
      .selectFrom(ranked)
      .select(['id', sql<number>`count(*) over (order by rank)`.as('files')])
      .as('counted')
    const first = db.selectFrom(counted).select('id').where('files', '<=', max)
    return selectFiles(db, column).where('id', 'in', first)
  })

const queries = {
  topic_id: { all: prepareAll('topic_id'), first: prepareFirst('topic_id') },
  comment_id: { all: prepareAll('comment_id'), first: prepareFirst('comment_id') },
}

/**
 * The files of topics or comments, oldest first within each owner: all, or the same number of first files of each.
 * @param ids at most as many as a response has comments, far below the parameter limit of a statement
 */
export async function findFilesOfOwners(
  db: Db,
  column: OwnerColumn,
  ids: (TopicId | CommentId)[],
  max: { ofEach: number; ofAll: number },
) {
  if (ids.length === 0) return []
  const { all, first } = queries[column]
  // A single owner shows all of its files, and few owners cannot exceed the limit.
  return ids.length === 1 || ids.length * max.ofEach <= max.ofAll ? all(db, ids) : first(db, ids, max.ofAll)
}

export async function countFiles(db: Db, column: OwnerColumn, id: TopicId | CommentId): Promise<number> {
  const { files } = await db
    .selectFrom('file')
    .select(({ fn }) => fn.countAll<number>().as('files'))
    .where(column, '=', id)
    .where('is_deleted', '=', 0)
    .executeTakeFirstOrThrow()
  return files
}

/** Returns the links among `links` that the owner already has. */
export async function findLinks(
  db: Db,
  column: OwnerColumn,
  id: TopicId | CommentId,
  links: string[],
): Promise<Set<string>> {
  if (links.length === 0) return new Set()
  const rows = await db
    .selectFrom('file')
    .select('link')
    .where(column, '=', id)
    .where('is_deleted', '=', 0)
    .where('link', 'in', links)
    .execute()
  return new Set(rows.map((row) => row.link))
}

/**
 * Returns the ids among `ids` that are stored files of the owner, including deleted ones: a link read before the
 * deletion would lead nowhere.
 */
export async function findStoredFileIds(
  db: Db,
  column: OwnerColumn,
  id: TopicId | CommentId,
  fileIds: FileId[],
): Promise<Set<FileId>> {
  if (fileIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('file')
    .select('id')
    .where(column, '=', id)
    .where('blob_key', '<>', '')
    .where('id', 'in', fileIds)
    .execute()
  return new Set(rows.map((row) => row.id))
}

export async function insertFile(db: Db, file: NewRow<'file'>): Promise<void> {
  await db.insertInto('file').values(file).execute()
}

/** A visible file: neither it nor its owner is deleted. */
export type VisibleFile = Row<'file'> & { topic: TopicId }

/** Visible files, joined with the topic of each. */
const selectVisibleFiles = (db: Db) =>
  db
    .selectFrom('file')
    .leftJoin('comment', 'comment.id', 'file.comment_id')
    .innerJoin('topic', (join) =>
      join.on((on) => on('topic.id', '=', on.fn.coalesce('file.topic_id', 'comment.topic_id'))),
    )
    .where('file.is_deleted', '=', 0)
    .where('topic.is_deleted', '=', 0)
    .where((where) => where.or([where('comment.id', 'is', null), where('comment.is_deleted', '=', 0)]))

/** @throws Failure FILE_NOT_FOUND */
export async function getFile(db: Db, id: FileId): Promise<VisibleFile> {
  const row = await selectVisibleFiles(db)
    .selectAll('file')
    .select('topic.id as topic')
    .where('file.id', '=', id)
    .executeTakeFirst()
  if (!row) throw new Failure('FILE_NOT_FOUND')
  return row
}

/** For the export. */
export async function filesAfter(db: Db, columns: readonly (keyof Row<'file'>)[], after: FileId, limit: number) {
  return selectVisibleFiles(db)
    .select(columns.map((column) => `file.${column}` as const))
    .where('file.id', '>', after)
    .orderBy('file.id')
    .limit(limit)
    .execute()
}

/** Files whose bytes we store, after an id, including deleted ones: an organizer can restore them. */
export async function listStoredFilesAfter(db: Db, after: number, limit: number) {
  return db
    .selectFrom('file')
    .select(['id', 'topic_id', 'comment_id', 'name', 'blob_key', 'size', 'sha256', 'is_deleted'])
    .where('id', '>', after as FileId)
    .where('blob_key', '<>', '')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** The number of `listStoredFiles`. */
export async function countStoredFiles(db: Db): Promise<number> {
  const { files } = await db
    .selectFrom('file')
    .select(({ fn }) => fn.countAll<number>().as('files'))
    .where('blob_key', '<>', '')
    .executeTakeFirstOrThrow()
  return Number(files)
}

/** A summit may have nothing but links, so the search is bounded. */
const maxFilesSearched = 1_000

/** The newest stored file, including deleted ones; undefined if the latest files are all links. */
export function findNewestStoredFile(db: Db): Promise<Pick<Row<'file'>, 'blob_key'> | undefined> {
  const newestFirst = db.selectFrom('file').select(['id', 'blob_key']).orderBy('id', 'desc').limit(maxFilesSearched)
  return db
    .selectFrom(newestFirst.as('file'))
    .select('blob_key')
    .where('blob_key', '<>', '')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function softDeleteFile(db: Db, id: FileId, deleted_at: number): Promise<void> {
  await db.updateTable('file').set({ is_deleted: 1, deleted_at }).where('id', '=', id).execute()
}

export const deleteFilesOf = (db: Db, column: OwnerColumn, ids: (TopicId | CommentId)[]) =>
  db.deleteFrom('file').where(column, 'in', ids).returning('blob_key').execute()

export const deleteFilesBy = (db: Db, participant: ParticipantId) =>
  db.deleteFrom('file').where('created_by', '=', participant).returning('blob_key').execute()

/** Returns the keys among `keys` that a file refers to, including deleted files: an organizer can restore them. */
export async function findFileBlobs(db: Db, keys: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('file')
    .select('blob_key')
    .where('blob_key', 'in', keys)
    // Repeats the condition of the partial index, or it would not be used.
    .where('blob_key', '<>', sql.lit(''))
    .execute()
  return rows.map((row) => row.blob_key)
}
