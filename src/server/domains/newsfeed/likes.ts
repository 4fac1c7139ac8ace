import type { Data } from '../../../contract/index.ts'
import { Failure } from '../../core/failure.ts'
import { appendChange } from '../../log/changes/log.ts'
import type { HandlerInput } from '../../operation.ts'
import type { WriteScope } from '../../scope.ts'
import { assertParticipantExists } from '../participants/participants.ts'
import { findLikeId, insertLike, softDeleteLike } from './like-store.ts'
import { assertTopicExists } from './topic-store.ts'
import { getListedTopic } from './topics.ts'

/**
 * Idempotent: liking twice is one like. The participant must exist, so that a topic has at most as many likes as there
 * are participants.
 * @throws Failure TOPIC_NOT_FOUND, PARTICIPANT_NOT_FOUND
 */
export async function likeTopic(scope: WriteScope, input: HandlerInput<'likeTopic'>): Promise<Data<'likeTopic'>> {
  const { topic_id, created_by } = input
  await assertTopicExists(scope.db, topic_id)
  await assertParticipantExists(scope.db, created_by)
  if ((await findLikeId(scope.db, topic_id, created_by)) === undefined) {
    await insertLike(scope.db, topic_id, created_by, scope.now)
    await appendChange(scope, { kind: 'topic.liked', record: topic_id, parent: topic_id, actor: created_by })
  }
  return getListedTopic(scope, topic_id)
}

/** @throws Failure TOPIC_NOT_FOUND, LIKE_NOT_FOUND */
export async function unlikeTopic(scope: WriteScope, input: HandlerInput<'unlikeTopic'>): Promise<Data<'unlikeTopic'>> {
  const { topic_id, participant_id } = input
  await assertTopicExists(scope.db, topic_id)
  const likeId = await findLikeId(scope.db, topic_id, participant_id)
  if (likeId === undefined) throw new Failure('LIKE_NOT_FOUND')
  await softDeleteLike(scope.db, likeId, scope.now, participant_id)
  await appendChange(scope, { kind: 'topic.unliked', record: topic_id, parent: topic_id, actor: participant_id })
  return { message: `Deleted Like Id: ${participant_id}` }
}
