import type { Config } from '../../server/config/config.ts'
import type { ParticipantId } from '../../server/core/ids.ts'
import { forgetParticipant } from '../../server/erasure/forget-participant.ts'
import { countPosts } from '../../server/newsfeed/authorship.ts'
import { removeOrphans } from '../../server/orphans/orphans.ts'
import { findParticipant, fullNameOf } from '../../server/participants/participants.ts'
import { commandScope } from '../../server/scope.ts'
import { noSuchRecord } from '../no-such-record.ts'
import { parseId } from '../record-id.ts'
import { withContext } from '../with-context.ts'

interface Options {
  apply?: boolean
  /** Whether their topics, comments and files stay, with an unknown author. */
  keepPosts?: boolean
}

/** `summit participant forget ID`: deletes a participant for good, with what they have posted. */
export async function forget(config: Config, id: string, { apply = false, keepPosts = false }: Options): Promise<void> {
  const participantId = parseId(id) as ParticipantId
  await withContext(config, async (ctx) => {
    const { read } = ctx.database
    const participant = await findParticipant(read, participantId)
    if (!participant) throw noSuchRecord('participant', participantId)
    const { topics, comments } = await countPosts(read, participantId)
    console.log(
      `participant ${participantId}: ${fullNameOf(participant)} <${participant.email || participant.employee_no}>`,
    )
    console.log('  deleted for good: the participant, their photo, likes and feedback')
    console.log(
      keepPosts
        ? `  left in place, with an unknown author: ${topics} topics, ${comments} comments, and the files of both`
        : `  also deleted: ${topics} topics with everything below them, ${comments} comments, and the files of both`,
    )
    if (!apply) return console.log('\nNothing was changed. Run the same command with --apply to delete this.')
    const keys = await ctx.database.transaction((tx) =>
      forgetParticipant(commandScope(ctx, tx, 'participant forget'), participantId, keepPosts),
    )
    await removeOrphans(ctx, keys)
    console.log('\nDone. Backups and exported files still have it; see docs/operate.md, “Delete for good”.')
  })
}
