import type { Data } from '../../contract/index.ts'
import type { PostPolicy } from '../../contract/me.ts'
import { assertHasRoles } from '../access/authorize.ts'
import { findRolesOf } from '../access/credentials.ts'
import { assertSessionNotNew, endSession } from '../access/sessions.ts'
import type { Context } from '../context.ts'
import { invalidField } from '../core/body-field.ts'
import type { HandlerInput } from '../operation.ts'
import { getProfile } from '../participants/participants.ts'
import type { PersonalScope, RequestScope } from '../scope.ts'
import { eraseParticipant, finishErasure } from './erase.ts'
import { countOwnRows } from './own-rows-store.ts'

/**
 * What erasing the sender would remove.
 * @throws Failure PARTICIPANT_NOT_FOUND for an organizer who is not a participant
 */
export async function planErasure(scope: PersonalScope, posts: PostPolicy): Promise<Data<'planErasure'>> {
  await getProfile(scope, scope.principal.participant)
  return countOwnData(scope, posts)
}

async function countOwnData({ db, principal }: PersonalScope, posts: PostPolicy): Promise<Data<'planErasure'>> {
  const { participant } = principal
  return {
    erasure: {
      posts,
      topics: await countOwnRows(db, 'topic', participant),
      comments: await countOwnRows(db, 'comment', participant),
      likes: await countOwnRows(db, 'topic_like', participant),
      files: await countOwnRows(db, 'file', participant),
      feedback: await countOwnRows(db, 'feedback', participant),
      keys: await countOwnRows(db, 'credential', participant),
    },
  }
}

/**
 * Deletes the sender for good, with everything that is theirs.
 * @returns what was removed
 * @throws Failure PARTICIPANT_NOT_FOUND, VALIDATION_FAILED without a confirmation, SESSION_TOO_NEW, FORBIDDEN if a key
 *   that would end has more roles
 */
export async function eraseOwnData(
  scope: RequestScope,
  ctx: Context,
  { participant_id }: HandlerInput<'eraseOwnData'>,
): Promise<Data<'eraseOwnData'>> {
  const { participant } = scope.principal
  await getProfile(scope, participant)
  if (participant_id !== participant) throw notConfirmed()
  await assertSessionNotNew(scope)
  assertHasRoles(scope.principal, await findRolesOf(scope, participant))
  // Only now, because it counts rows in large tables while other writes wait.
  const removed = await countOwnData(scope, ctx.config.erasePosts)
  // Removes the cookie of a session.
  await endSession(scope)
  const keys = await eraseParticipant(scope, participant, ctx.config.erasePosts)
  scope.afterCommit(() => finishErasure(ctx, participant, keys))
  return removed
}

const notConfirmed = () =>
  invalidField(
    'participant_id',
    'NOT_CONFIRMED',
    'participant_id must be your own id, which confirms that you want to be erased.',
  )
