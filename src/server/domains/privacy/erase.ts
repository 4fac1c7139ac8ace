import type { PostPolicy } from '../../../contract/me.ts'
import { eraseAllCodes } from '../../auth/codes.ts'
import type { Context } from '../../context.ts'
import { noParticipant, type ParticipantId } from '../../core/ids.ts'
import { appendChange } from '../../log/changes/log.ts'
import { eraseAllResponses } from '../../log/idempotency/erase.ts'
import { assertCanAppend } from '../../log/ledger/ledger-file.ts'
import { commandScope, type WriteScope } from '../../scope.ts'
import { eraseFilesBy } from '../files/erase.ts'
import { findAnyParticipants } from '../participants/stored-participants.ts'
import { finishErasures } from './finish-erasures.ts'
import { forgetParticipant } from './forget-participant.ts'
import { insertSteps } from './steps-store.ts'

/**
 * Deletes a participant for good, with the files that they have attached, even if their posts stay. What is left to do
 * beyond these rows is stored for {@link finishErasures}.
 */
export async function eraseParticipant(scope: WriteScope, id: ParticipantId, posts: PostPolicy): Promise<void> {
  const files = await eraseFilesBy(scope.db, id)
  await appendChange(scope, { kind: 'participant.files_erased', record: id })
  await forget(scope, id, posts, files)
}

/** The same, but their files stay with their posts. */
export const eraseOrAnonymize = (scope: WriteScope, id: ParticipantId, posts: PostPolicy): Promise<void> =>
  forget(scope, id, posts, [])

async function forget(scope: WriteScope, id: ParticipantId, posts: PostPolicy, files: string[]): Promise<void> {
  const keys = [...files, ...(await forgetParticipant(scope, id, posts === 'keep'))]
  await insertSteps(scope.db, id, ['responses', 'photos', 'rebuild'], keys, scope.now)
}

/** Participants whose ids are read at once. */
const batchSize = 100

/** Erases all participants, one after the other, while others may write. @param isStopped asked before each step */
export async function eraseEveryone(ctx: Context, isStopped: () => boolean): Promise<void> {
  const { database, config } = ctx
  await assertCanAppend(config.dataDir)
  // Also those that name nobody by an id.
  while (!isStopped() && (await database.transaction(eraseAllResponses)));
  await database.transaction(eraseAllCodes)
  for (let ids = [noParticipant]; ids.length > 0; ) {
    ids = await findAnyParticipants(database.read, batchSize)
    for (const id of ids) {
      if (isStopped()) return
      await database.transaction((tx) =>
        eraseParticipant(commandScope(ctx, tx, 'erase personal data'), id, config.erasePosts),
      )
    }
  }
  await finishErasures(ctx, { isStopped })
}
