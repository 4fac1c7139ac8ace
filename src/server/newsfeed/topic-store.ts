import type { Db, NewRow, Row } from '../db/tables.ts'
import { Failure } from '../failure.ts'
import type { ParticipantId, TopicId } from '../ids.ts'
import { type Page, rowsOf } from '../paging.ts'

/** A page of topics, newest first. Rows are skipped over the narrow index `topic_kept`. */
export async function pageOfTopics(db: Db, page: Page): Promise<Row<'topic'>[]> {
  const ids = db
    .selectFrom('topic')
    .select('id')
    .where('is_deleted', '=', 0)
    .orderBy('id', 'desc')
    .limit(rowsOf(page))
    .offset(page.offset)
  return db.selectFrom('topic').selectAll().where('id', 'in', ids).orderBy('id', 'desc').execute()
}

/** @throws Failure TOPIC_NOT_FOUND also when it is deleted */
export async function getTopicRow(db: Db, id: TopicId): Promise<Row<'topic'>> {
  const row = await db
    .selectFrom('topic')
    .selectAll()
    .where('id', '=', id)
    .where('is_deleted', '=', 0)
    .executeTakeFirst()
  if (!row) throw new Failure('TOPIC_NOT_FOUND')
  return row
}

export async function insertTopic(db: Db, topic: NewRow<'topic'>): Promise<TopicId> {
  const { id } = await db.insertInto('topic').values(topic).returning('id').executeTakeFirstOrThrow()
  return id
}

/** What an update changes; an absent `body` stays. */
export interface TopicChange {
  header: string
  body?: string
  modified_at: number
  modified_by: ParticipantId
}

export async function changeTopic(db: Db, id: TopicId, change: TopicChange): Promise<void> {
  await db.updateTable('topic').set(change).where('id', '=', id).execute()
}

export async function markTopicDeleted(db: Db, id: TopicId, deleted_at: number): Promise<void> {
  await db.updateTable('topic').set({ is_deleted: 1, deleted_at }).where('id', '=', id).execute()
}
