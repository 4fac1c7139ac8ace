import { Failure } from '../../core/failure.ts'
import type { ParticipantId, TopicId } from '../../core/ids.ts'
import type { PageParams } from '../../core/paging.ts'
import { prepared, preparedInsert } from '../../storage/db/prepared.ts'
import type { Db, Row } from '../../storage/db/tables.ts'
import { type AuthorColumns, authorColumns } from '../participants/author-columns.ts'
import { adjustTopicCount, deepOffset, findPageStart } from './topic-block-store.ts'

const shownTopicColumns = [
  'topic.id',
  'topic.header',
  'topic.body',
  'topic.created_by',
  'topic.created_at',
  'topic.modified_at',
  ...authorColumns,
] as const

/** A topic as shown, with its author. */
export type ShownTopic = BareTopic & Pick<Row<'topic'>, 'modified_at'> & AuthorColumns

/** A topic without its author. */
export type BareTopic = Pick<Row<'topic'>, 'id' | 'header' | 'body' | 'created_by' | 'created_at'>

const selectShownTopics = (db: Db) =>
  db.selectFrom('topic').leftJoin('participant as author', 'author.id', 'topic.created_by').select(shownTopicColumns)

const topicsInOrder = prepared((db, limit: number, offset: number) => {
  const ids = db.selectFrom('topic').select('id').where('is_deleted', '=', 0).orderBy('id', 'desc')
  return selectShownTopics(db).where('topic.id', 'in', ids.limit(limit).offset(offset)).orderBy('topic.id', 'desc')
})

const topicsBelow = prepared((db, below: TopicId, limit: number, skip: number) => {
  const ids = db.selectFrom('topic').select('id').where('is_deleted', '=', 0).where('id', '<', below)
  return selectShownTopics(db)
    .where('topic.id', 'in', ids.orderBy('id', 'desc').limit(limit).offset(skip))
    .orderBy('topic.id', 'desc')
})

/** A page of topics, newest first. Rows are skipped in the narrow index `topic_kept`. */
export async function pageOfTopics(db: Db, page: PageParams): Promise<ShownTopic[]> {
  if (page.offset < deepOffset) return topicsInOrder(db, page.limit, page.offset)
  const { below, skip } = await findPageStart(db, page.offset)
  return topicsBelow(db, below, page.limit, skip)
}

const byId = prepared((db, id: TopicId) =>
  selectShownTopics(db).where('topic.id', '=', id).where('topic.is_deleted', '=', 0),
)

/** @throws Failure TOPIC_NOT_FOUND also if it is deleted */
export async function getTopicRow(db: Db, id: TopicId): Promise<ShownTopic> {
  const [row] = await byId(db, id)
  if (!row) throw new Failure('TOPIC_NOT_FOUND')
  return row
}

const findAuthor = prepared((db, id: TopicId) =>
  db.selectFrom('topic').select('created_by').where('id', '=', id).where('is_deleted', '=', 0),
)

/** @throws Failure TOPIC_NOT_FOUND also if it is deleted */
export async function getTopicAuthor(db: Db, id: TopicId): Promise<ParticipantId> {
  const [row] = await findAuthor(db, id)
  if (!row) throw new Failure('TOPIC_NOT_FOUND')
  return row.created_by
}

/** @throws Failure TOPIC_NOT_FOUND also if it is deleted */
export const assertTopicExists = async (db: Db, id: TopicId): Promise<void> => void (await getTopicAuthor(db, id))

const insert = preparedInsert((db, header: string, body: string, created_at: number, created_by: ParticipantId) =>
  db.insertInto('topic').values({ header, body, created_at, created_by }),
)

/** The values of a new topic. */
export type NewTopic = Pick<Row<'topic'>, 'header' | 'body' | 'created_at' | 'created_by'>

export async function insertTopic(db: Db, topic: NewTopic): Promise<BareTopic> {
  const { header, body, created_at, created_by } = topic
  const id = await insert(db, header, body, created_at, created_by)
  await adjustTopicCount(db, id, 1)
  return { id, ...topic }
}

/** The values of an update; an absent `body` is unchanged. */
export interface TopicChange {
  header: string
  body?: string
  modified_at: number
  modified_by: ParticipantId
}

export async function changeTopic(db: Db, id: TopicId, change: TopicChange): Promise<void> {
  await db.updateTable('topic').set(change).where('id', '=', id).execute()
}

/** @returns whether there is a deleted topic with this id */
export async function undeleteTopic(db: Db, id: TopicId): Promise<boolean> {
  const deleted = db.updateTable('topic').set({ is_deleted: 0, deleted_at: 0 }).where('id', '=', id)
  const { numUpdatedRows } = await deleted.where('is_deleted', '=', 1).executeTakeFirst()
  if (Number(numUpdatedRows) === 0) return false
  await adjustTopicCount(db, id, 1)
  return true
}

/** Deleted topics, the last deleted one first. */
export const listDeletedTopics = (db: Db) =>
  db
    .selectFrom('topic')
    .select(['id', 'header as text', 'deleted_at'])
    .where('is_deleted', '=', 1)
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

export async function softDeleteTopic(db: Db, id: TopicId, deleted_at: number): Promise<void> {
  await db.updateTable('topic').set({ is_deleted: 1, deleted_at }).where('id', '=', id).execute()
  await adjustTopicCount(db, id, -1)
}

export async function topicsAfter(db: Db, columns: readonly (keyof Row<'topic'>)[], after: TopicId, limit: number) {
  const notDeleted = db.selectFrom('topic').select(columns).where('is_deleted', '=', 0)
  return notDeleted.where('id', '>', after).orderBy('id').limit(limit).execute()
}
