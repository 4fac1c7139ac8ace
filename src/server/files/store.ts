import { sql } from 'kysely'
import { Failure } from '../core/failure.ts'
import type { CommentId, FileId, TopicId } from '../core/ids.ts'
import { prepared } from '../db/prepared.ts'
import type { Db, NewRow, Row } from '../db/tables.ts'

/** Names what a file belongs to. */
export type OwnerColumn = 'topic_id' | 'comment_id'

const shownOfFile = (db: Db, column: OwnerColumn) =>
  db
    .selectFrom('file')
    .select(['id', 'link', 'blob_key', 'name', 'file_type', `${column} as owner_id`])
    .orderBy('id')

const allOf = (column: OwnerColumn) =>
  prepared((db, ids: (TopicId | CommentId)[]) =>
    shownOfFile(db, column).where(column, 'in', ids).where('is_deleted', '=', 0),
  )

/** As many of each as are no more than `most` together. The links are long: only those that are shown are read. */
const firstOf = (column: OwnerColumn) =>
  prepared((db, ids: (TopicId | CommentId)[], most: number) => {
    const ranked = db
      .selectFrom('file')
      .select(['id', sql<number>`row_number() over (partition by ${sql.ref(column)} order by id)`.as('nth')])
      .where(column, 'in', ids)
      .where('is_deleted', '=', 0)
      .as('ranked')
    // A running total takes in all that are the nth of theirs at once.
    const counted = db
      .selectFrom(ranked)
      .select(['id', sql<number>`count(*) over (order by nth)`.as('files')])
      .as('counted')
    const first = db.selectFrom(counted).select('id').where('files', '<=', most)
    return shownOfFile(db, column).where('id', 'in', first)
  })

const ofOwners = {
  topic_id: { all: allOf('topic_id'), first: firstOf('topic_id') },
  comment_id: { all: allOf('comment_id'), first: firstOf('comment_id') },
}

/**
 * The files of some topics, or of some comments, those of each oldest first: all, or the first of each, the same number
 * of each that has so many.
 * @param ids no more than an answer has comments, which is far below the parameters that one statement takes
 */
export async function filesOfOwners(
  db: Db,
  column: OwnerColumn,
  ids: (TopicId | CommentId)[],
  most: { ofEach: number; ofAll: number },
) {
  if (ids.length === 0) return []
  const { all, first } = ofOwners[column]
  // So few cannot have too many, or show all of them by themselves.
  return ids.length === 1 || ids.length * most.ofEach <= most.ofAll ? all(db, ids) : first(db, ids, most.ofAll)
}

/** How many files the owner has. */
export async function countFiles(db: Db, column: OwnerColumn, id: TopicId | CommentId): Promise<number> {
  const { files } = await db
    .selectFrom('file')
    .select(({ fn }) => fn.countAll<number>().as('files'))
    .where(column, '=', id)
    .where('is_deleted', '=', 0)
    .executeTakeFirstOrThrow()
  return files
}

/** Which of these links the owner has already. */
export async function knownLinks(
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
 * Which of these ids are stored files of the owner. Deleted ones are among them: a link to one, read before it was
 * deleted, would lead nowhere.
 */
export async function storedFilesAmong(
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

/** A file that can be seen: neither it nor what it belongs to is deleted. */
export type VisibleFile = Row<'file'> & { topic: TopicId }

/** The files that can be seen, with the topic of each. */
const visibleFiles = (db: Db) =>
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
  const row = await visibleFiles(db)
    .selectAll('file')
    .select('topic.id as topic')
    .where('file.id', '=', id)
    .executeTakeFirst()
  if (!row) throw new Failure('FILE_NOT_FOUND')
  return row
}

/** For the export. */
export async function filesAfter(db: Db, columns: readonly (keyof Row<'file'>)[], after: FileId, most: number) {
  return visibleFiles(db)
    .select(columns.map((column) => `file.${column}` as const))
    .where('file.id', '>', after)
    .orderBy('file.id')
    .limit(most)
    .execute()
}

/** The files with bytes of our own after one, deleted ones included, as an organizer can restore them. */
export async function storedAfter(db: Db, after: number, most: number) {
  return db
    .selectFrom('file')
    .select(['id', 'topic_id', 'comment_id', 'name', 'blob_key', 'size', 'sha256', 'is_deleted'])
    .where('id', '>', after as FileId)
    .where('blob_key', '<>', '')
    .orderBy('id')
    .limit(most)
    .execute()
}

export async function countStored(db: Db): Promise<number> {
  const { files } = await db
    .selectFrom('file')
    .select(({ fn }) => fn.countAll<number>().as('files'))
    .where('blob_key', '<>', '')
    .executeTakeFirstOrThrow()
  return Number(files)
}

/** More links than have ever been posted in a row; a summit may have nothing else. */
const latest = 1_000

/** The newest stored file, deleted ones included; undefined when there is none among the latest files. */
export function findNewestStored(db: Db): Promise<Pick<Row<'file'>, 'blob_key'> | undefined> {
  const newestFirst = db.selectFrom('file').select(['id', 'blob_key']).orderBy('id', 'desc').limit(latest)
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

/** Which of these blobs a file names, deleted ones included: an organizer can restore them. */
export async function blobsOfFiles(db: Db, keys: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('file')
    .select('blob_key')
    .where('blob_key', 'in', keys)
    // The index is of these only, and is taken only where the text says so.
    .where('blob_key', '<>', sql.lit(''))
    .execute()
  return rows.map((row) => row.blob_key)
}
