import type { ParticipantId } from '../../core/ids.ts'
import type { WriteScope } from '../../scope.ts'
import { inChunks } from '../../storage/db/in-chunks.ts'
import type { Db } from '../../storage/db/tables.ts'
import { eraseFilesBy, eraseFilesOf } from '../files/erase.ts'
import { commentsOf, commentsOfTopics, deleteComments, deleteTopics, topicsOf } from './erase-posts-store.ts'
import { adjustTopicCount } from './topic-block-store.ts'

/** How much a participant has posted, including what was deleted. */
export async function countPosts(db: Db, participant: ParticipantId): Promise<{ topics: number; comments: number }> {
  return {
    topics: (await topicsOf(db, participant)).length,
    comments: (await commentsOf(db, participant)).length,
  }
}

/**
 * Deletes the topics of a participant for good, with everything below them, and their comments and files elsewhere; the
 * caller logs the change.
 * @returns the keys of the deleted files
 */
export async function erasePosts({ db }: WriteScope, participant: ParticipantId): Promise<string[]> {
  const { topics, topicIds, commentIds } = await findPosts(db, participant)
  const keys = [
    ...(await eraseFilesOf(db, 'comment_id', commentIds)),
    ...(await eraseFilesOf(db, 'topic_id', topicIds)),
    ...(await eraseFilesBy(db, participant)),
  ]
  await inChunks(commentIds, (ids) => deleteComments(db, ids))
  await inChunks(topicIds, (ids) => deleteTopics(db, ids))
  for (const { id, is_deleted } of topics) if (is_deleted === 0) await adjustTopicCount(db, id, -1)
  return keys
}

/** The topics of a participant, with their own comments and everyone's below these topics. */
async function findPosts(db: Db, participant: ParticipantId) {
  const topics = await topicsOf(db, participant)
  const topicIds = topics.map(({ id }) => id)
  const below = await inChunks(topicIds, (ids) => commentsOfTopics(db, ids))
  const commentIds = [...new Set([...below, ...(await commentsOf(db, participant))].map(({ id }) => id))]
  return { topics, topicIds, commentIds }
}
