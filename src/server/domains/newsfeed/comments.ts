import type { Data } from '../../../contract/index.ts'
import { assertMayChange } from '../../auth/policies.ts'
import { type CommentId, noParticipant, type TopicId } from '../../core/ids.ts'
import type { PageParams } from '../../core/paging.ts'
import { appendChange } from '../../log/changes/log.ts'
import type { HandlerInput } from '../../operation.ts'
import type { Scope, WriteScope } from '../../scope.ts'
import { attachFiles } from '../files/files.ts'
import {
  changeComment,
  getCommentRow,
  insertComment,
  pageOfComments,
  softDeleteComment,
  undeleteComment,
} from './comment-store.ts'
import { presentComments, presentNewComment } from './present.ts'
import { assertTopicExists } from './topic-store.ts'

export { listDeletedComments } from './comment-store.ts'

/** Oldest first. @throws Failure TOPIC_NOT_FOUND */
export async function listComments(scope: Scope, topicId: TopicId, page: PageParams): Promise<Data<'listComments'>> {
  await assertTopicExists(scope.db, topicId)
  return { comments: await presentComments(scope, await pageOfComments(scope.db, topicId, page)) }
}

/** @throws Failure COMMENT_NOT_FOUND */
export async function getComment(scope: Scope, commentId: CommentId): Promise<Data<'getComment'>> {
  return { comments: await presentComments(scope, [await getCommentRow(scope.db, commentId)]) }
}

/** @throws Failure TOPIC_NOT_FOUND */
export async function createComment(
  scope: WriteScope,
  input: HandlerInput<'createComment'>,
): Promise<Data<'createComment'>> {
  const { topic_id, comment, created_by, files } = input
  await assertTopicExists(scope.db, topic_id)
  const row = await insertComment(scope.db, { topic_id, comment, created_at: scope.now, created_by })
  if (files.length > 0) await attachFiles(scope, 'comment_id', row.id, files, created_by)
  await appendChange(scope, { kind: 'comment.created', record: row.id, parent: topic_id, actor: created_by })
  return { comments: [await presentNewComment(scope, row, files.length > 0)] }
}

/** The author and existing files do not change. @throws Failure COMMENT_NOT_FOUND, FORBIDDEN */
export async function updateComment(
  scope: WriteScope,
  input: HandlerInput<'updateComment'>,
): Promise<Data<'updateComment'>> {
  const { comment_id, comment, updated_by = noParticipant, files } = input
  const { topic_id, created_by } = await getCommentRow(scope.db, comment_id)
  await assertMayChange(scope, created_by)
  await changeComment(scope.db, comment_id, { comment, modified_at: scope.now, modified_by: updated_by })
  if (files.length > 0) await attachFiles(scope, 'comment_id', comment_id, files, updated_by)
  await appendChange(scope, { kind: 'comment.updated', record: comment_id, parent: topic_id, actor: updated_by })
  return getComment(scope, comment_id)
}

/** @throws Failure COMMENT_NOT_FOUND, FORBIDDEN */
export async function deleteComment(scope: WriteScope, commentId: CommentId): Promise<Data<'deleteComment'>> {
  const { topic_id, created_by } = await getCommentRow(scope.db, commentId)
  await assertMayChange(scope, created_by)
  await softDeleteComment(scope.db, commentId, scope.now)
  await appendChange(scope, { kind: 'comment.deleted', record: commentId, parent: topic_id })
  return { message: `Deleted Comment Id: ${commentId}` }
}

/**
 * Brings a deleted comment back, with its files. It stays hidden as long as its topic is deleted.
 * @returns its topic; undefined if there is no deleted comment with this id
 */
export async function restoreComment(scope: WriteScope, commentId: CommentId): Promise<TopicId | undefined> {
  const topicId = await undeleteComment(scope.db, commentId)
  if (topicId === undefined) return undefined
  await appendChange(scope, { kind: 'comment.restored', record: commentId, parent: topicId })
  return topicId
}
