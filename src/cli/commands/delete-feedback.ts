import type { Config } from '../../server/config/config.ts'
import { noParticipant } from '../../server/core/ids.ts'
import { deleteFeedback, findFeedback } from '../../server/domains/feedback/feedback.ts'
import { insertSteps } from '../../server/domains/privacy/steps-store.ts'
import { commandScope } from '../../server/scope.ts'
import { assertLedgerWritable, rebuildOrSay } from '../erasure.ts'
import { noSuchRecord, parseId } from '../identify-record.ts'
import { withContext } from '../with-context.ts'

/** `summit feedback delete ID`: shows one feedback entry, and with `--apply` deletes it for good. */
export async function removeFeedback(
  config: Config,
  id: string,
  { apply = false }: { apply?: boolean },
): Promise<void> {
  const feedbackId = parseId(id)
  await withContext(config, async (ctx) => {
    const feedback = await findFeedback(ctx.database.read, feedbackId)
    if (!feedback) throw noSuchRecord('feedback', feedbackId)
    const { participant_id, created_at, comments } = feedback
    console.log(
      `feedback ${feedbackId} of participant ${participant_id}, ${ctx.timestamp(created_at)}: ${comments ?? ''}`,
    )
    if (!apply) return console.log('\nNothing was changed. Run the same command with --apply to delete it for good.')
    await assertLedgerWritable(config)
    await ctx.database.transaction(async (tx) => {
      const scope = commandScope(ctx, tx, 'feedback delete')
      await deleteFeedback(scope, feedbackId)
      await insertSteps(tx, noParticipant, ['rebuild'], [], scope.now)
    })
    await rebuildOrSay(ctx)
    console.log('\nDone.')
  })
}
