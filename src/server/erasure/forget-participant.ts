import { appendChange } from '../changes/log.ts'
import type { ParticipantId } from '../core/ids.ts'
import { eraseFeedback } from '../feedback/feedback.ts'
import { forgetImported } from '../import/forget-imported.ts'
import { anonymizePostsAndFiles, eraseLikes, erasePosts } from '../newsfeed/authorship.ts'
import { removeParticipant } from '../participants/stored-participants.ts'
import { eraseResponsesOf } from '../retries/erase.ts'
import type { WriteScope } from '../scope.ts'

/**
 * Deletes a participant for good, also one who is marked as deleted, with their likes, feedback, keys and everything
 * that imports have recorded of them. Their topics (with everything below them), comments and files are deleted too, or
 * stay with an unknown author.
 * @returns the keys of files that no row refers to any more; for the photos see `photoFolder`
 */
export async function forgetParticipant(scope: WriteScope, id: ParticipantId, keepPosts: boolean): Promise<string[]> {
  const keys: string[] = []
  if (keepPosts) await anonymizePostsAndFiles(scope, id)
  else keys.push(...(await erasePosts(scope, id)))
  await eraseLikes(scope, id)
  await eraseFeedback(scope, id)
  await forgetImported(scope.db, id)
  await eraseResponsesOf(scope.db, id)
  await removeParticipant(scope, { row: { id } })
  await appendChange(scope, { kind: keepPosts ? 'participant.anonymized' : 'participant.forgotten', record: id })
  return keys
}
