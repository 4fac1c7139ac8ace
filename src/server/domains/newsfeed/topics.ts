import type { Data } from '../../../contract/index.ts'
import { type EmbeddedComments, embeddedComments } from '../../../contract/limits.ts'
import { assertMayChange } from '../../auth/policies.ts'
import { noParticipant, type TopicId } from '../../core/ids.ts'
import type { PageParams } from '../../core/paging.ts'
import { appendChange } from '../../log/changes/log.ts'
import type { HandlerInput } from '../../operation.ts'
import type { Scope, WriteScope } from '../../scope.ts'
import { attachFiles } from '../files/files.ts'
import { presentNewTopic, presentTopics } from './present.ts'
import {
  changeTopic,
  getTopicAuthor,
  getTopicRow,
  insertTopic,
  pageOfTopics,
  softDeleteTopic,
  undeleteTopic,
} from './topic-store.ts'

export { countTopics } from './topic-block-store.ts'
export { listDeletedTopics } from './topic-store.ts'

/** Newest first, each with its latest comments. */
export async function listTopics(scope: Scope, page: PageParams): Promise<Data<'listTopics'>> {
  const rows = pageOfTopics(scope.db, page)
  const ids = (await rows).map(({ id }) => id)
  return { NewsFeed: await presentTopics(scope, ids, rows, embeddedComments.inList) }
}

/** @throws Failure TOPIC_NOT_FOUND */
export const getTopic = (scope: Scope, topicId: TopicId): Promise<Data<'getTopic'>> =>
  presentTopic(scope, topicId, embeddedComments.inDetails)

/** The topic as in a list. @throws Failure TOPIC_NOT_FOUND */
export const getListedTopic = (scope: Scope, topicId: TopicId): Promise<Data<'getTopic'>> =>
  presentTopic(scope, topicId, embeddedComments.inList)

async function presentTopic(scope: Scope, topicId: TopicId, maxComments: EmbeddedComments): Promise<Data<'getTopic'>> {
  const rows = getTopicRow(scope.db, topicId).then((row) => [row])
  return { NewsFeed: await presentTopics(scope, [topicId], rows, maxComments) }
}

export async function createTopic(scope: WriteScope, input: HandlerInput<'createTopic'>): Promise<Data<'createTopic'>> {
  const { name, body = '', created_by, files } = input
  const row = await insertTopic(scope.db, { header: name, body, created_at: scope.now, created_by })
  if (files.length > 0) await attachFiles(scope, 'topic_id', row.id, files, created_by)
  await appendChange(scope, { kind: 'topic.created', record: row.id, parent: row.id, actor: created_by })
  return { NewsFeed: [await presentNewTopic(scope, row, files.length > 0)] }
}

/** The author and existing files do not change. @throws Failure TOPIC_NOT_FOUND, FORBIDDEN */
export async function updateTopic(scope: WriteScope, input: HandlerInput<'updateTopic'>): Promise<Data<'updateTopic'>> {
  const { topic_id, name, body, updated_by = noParticipant, files } = input
  await assertMayChange(scope, await getTopicAuthor(scope.db, topic_id))
  await changeTopic(scope.db, topic_id, {
    header: name,
    ...(body !== undefined && { body }),
    modified_at: scope.now,
    modified_by: updated_by,
  })
  if (files.length > 0) await attachFiles(scope, 'topic_id', topic_id, files, updated_by)
  await appendChange(scope, { kind: 'topic.updated', record: topic_id, parent: topic_id, actor: updated_by })
  return getTopic(scope, topic_id)
}

/**
 * The comments, likes and files of the topic are hidden with it, and restored with it.
 * @throws Failure TOPIC_NOT_FOUND, FORBIDDEN
 */
export async function deleteTopic(scope: WriteScope, topicId: TopicId): Promise<Data<'deleteTopic'>> {
  await assertMayChange(scope, await getTopicAuthor(scope.db, topicId))
  await softDeleteTopic(scope.db, topicId, scope.now)
  await appendChange(scope, { kind: 'topic.deleted', record: topicId, parent: topicId })
  return { message: `Deleted Topic Id: ${topicId}` }
}

/** Brings a deleted topic back, with its comments, likes and files. @returns whether there is one with this id */
export async function restoreTopic(scope: WriteScope, topicId: TopicId): Promise<boolean> {
  if (!(await undeleteTopic(scope.db, topicId))) return false
  await appendChange(scope, { kind: 'topic.restored', record: topicId, parent: topicId })
  return true
}
