import type { ParticipantId } from '../../core/ids.ts'
import { appendChange } from '../../log/changes/log.ts'
import type { WriteScope } from '../../scope.ts'
import { erasePosts } from '../newsfeed/erase-posts.ts'
import { removeParticipants } from '../participants/stored-participants.ts'

/**
 * Deletes a participant for good, also one who is marked as deleted, as `personal-data.ts` says. Their topics (with
 * everything below them), comments and files are deleted too, or stay with an unknown author.
 * @returns the keys of files that no row refers to any more; for the photos see `photoFolder`
 */
export async function forgetParticipant(scope: WriteScope, id: ParticipantId, keepPosts: boolean): Promise<string[]> {
  const keys = keepPosts ? [] : await erasePosts(scope, id)
  await removeParticipants(scope, [id])
  await appendChange(scope, { kind: keepPosts ? 'participant.anonymized' : 'participant.forgotten', record: id })
  return keys
}
