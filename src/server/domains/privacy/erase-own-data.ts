import type { Data } from '../../../contract/index.ts'
import type { PostPolicy } from '../../../contract/me.ts'
import { findRolesOf, listUsableOf } from '../../auth/credentials.ts'
import { assertHasRoles } from '../../auth/policies.ts'
import { assertMayErase, endSession } from '../../auth/sessions.ts'
import type { Context } from '../../context.ts'
import { Failure, invalidField } from '../../core/failure.ts'
import type { ParticipantId } from '../../core/ids.ts'
import { assertCanAppend } from '../../log/ledger/ledger-file.ts'
import type { HandlerInput } from '../../operation.ts'
import type { PersonalScope, PreparationScope, RequestScope, Scope } from '../../scope.ts'
import { getProfile } from '../participants/participants.ts'
import { type CountName, ownTables } from '../participants/personal-data.ts'
import { eraseParticipant } from './erase.ts'
import { finishSoon, rebuildMinutes } from './finish-erasures.ts'
import { countOwnRows } from './own-rows-store.ts'

/**
 * What erasing the sender would remove.
 * @throws Failure PARTICIPANT_NOT_FOUND for an organizer who is not a participant
 */
export async function planErasure(scope: PersonalScope, ctx: Context): Promise<Data<'planErasure'>> {
  await getProfile(scope, scope.principal.participant)
  return countOwnData(scope, ctx.config.erasePosts, await findRebuildMinutes(ctx))
}

const findRebuildMinutes = async ({ database }: Context): Promise<number | null> =>
  (await database.isRebuilt()) ? rebuildMinutes : null

async function countOwnData(
  scope: PersonalScope,
  posts: PostPolicy,
  rebuild_minutes: number | null,
): Promise<Data<'planErasure'>> {
  const { participant } = scope.principal
  return {
    erasure: {
      posts,
      ...(await countWritten(scope, participant)),
      keys: (await listUsableOf(scope, participant)).length,
      rebuild_minutes,
    },
  }
}

async function countWritten({ db }: Scope, participant: ParticipantId): Promise<Record<CountName, number>> {
  const counts: [string, number][] = []
  for (const own of ownTables) if (own.counted) counts.push([own.counted, await countOwnRows(db, own, participant)])
  // The tests of the erasure compare the names with the contract.
  return Object.fromEntries(counts) as Record<CountName, number>
}

/**
 * Deletes the sender for good, with everything that is theirs.
 * @returns a function that does it, and returns what was removed
 * @throws Failure PARTICIPANT_NOT_FOUND, VALIDATION_FAILED without a confirmation, SESSION_TOO_NEW,
 *   SESSION_FROM_DESK, FORBIDDEN if a key that would end has more roles, UNAVAILABLE if the ledger cannot be written
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
  // Nothing is erased that a restored backup would bring back.
  await assertCanAppend(ctx.config.dataDir).catch((cause: unknown) => {
    throw new Failure('UNAVAILABLE', { cause })
  })
  const minutes = await findRebuildMinutes(ctx)
  return async (scope) => {
    assertHasRoles(scope.principal, await findRolesOf(scope, participant))
    const removed = await countOwnData(scope, ctx.config.erasePosts, minutes)
    // Removes the cookie of a session.
    await endSession(scope)
    await eraseParticipant(scope, participant, ctx.config.erasePosts)
    scope.afterCommit(() => finishSoon(ctx, participant))
    return removed
  }
}

const notConfirmed = () =>
  invalidField(
    'participant_id',
    'NOT_CONFIRMED',
    'participant_id must be your own id, which confirms that you want to be erased.',
  )
