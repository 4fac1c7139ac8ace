import type { Data } from '../../contract/index.ts'
import type { PostPolicy } from '../../contract/me.ts'
import { assertHasRoles } from '../access/authorize.ts'
import { findRolesOf } from '../access/credentials.ts'
import { assertMayErase, endSession } from '../access/sessions.ts'
import type { Context } from '../context.ts'
import { invalidField } from '../core/body-field.ts'
import type { HandlerInput } from '../operation.ts'
import { getProfile } from '../participants/participants.ts'
import type { PersonalScope, PreparationScope, RequestScope } from '../scope.ts'
import { eraseParticipant, finishErasure, markFilesPending } from './erase.ts'
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
 * @returns a function that does it, and returns what was removed
 * @throws Failure PARTICIPANT_NOT_FOUND, VALIDATION_FAILED without a confirmation, SESSION_TOO_NEW,
 *   SESSION_FROM_DESK, FORBIDDEN if a key that would end has more roles
 */
export async function prepareErasure(
  preparation: PreparationScope,
  ctx: Context,
  { participant_id }: HandlerInput<'eraseOwnData'>,
): Promise<(scope: RequestScope) => Promise<Data<'eraseOwnData'>>> {
  const { participant } = preparation.principal
  await getProfile(preparation, participant)
  if (participant_id !== participant) throw notConfirmed()
  await assertMayErase(preparation)
  const pendingKeys = await markFilesPending(ctx, participant, ctx.config.erasePosts)
  return async (scope) => {
    assertHasRoles(scope.principal, await findRolesOf(scope, participant))
    // After the checks, because it counts rows in large tables while other writes wait.
    const removed = await countOwnData(scope, ctx.config.erasePosts)
    // Removes the cookie of a session.
    await endSession(scope)
    const files = await eraseParticipant(scope, ctx, participant, ctx.config.erasePosts, pendingKeys)
    scope.afterCommit(() => finishErasure(ctx, participant, files))
    return removed
  }
}

const notConfirmed = () =>
  invalidField(
    'participant_id',
    'NOT_CONFIRMED',
    'participant_id must be your own id, which confirms that you want to be erased.',
  )
